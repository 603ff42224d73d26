/**
 * The JSON of schemas to the letter as every version since the first has written it, from which every type of that version is: catalogs of
 * tables hold such text. Never edit it.
 */
export const everyType: string =
  '{"format":1,"name":"every_type","writes":"plain","salt":[{"kind":"hash","of":["host","at"],"count":300,"seed":7},{"kind":"modulo","of":["shard"],"count":5},{"kind":"hashPrefix","of":["tiny"],"count":65536,"digits":4}],"columns":[' +
  '{"name":"host","physical":"host","role":"partition","type":{"kind":"text","desc":false,"nullable":false}},' +
  '{"name":"shard","physical":"shard","role":"key","type":{"kind":"uint16","desc":false,"nullable":false}},' +
  '{"name":"at","physical":"at","role":"key","type":{"kind":"timestamp","desc":true,"nullable":false,"as":"Date","unit":"ms"}},' +
  '{"name":"id","physical":"id","role":"key","type":{"kind":"uuid","desc":false,"nullable":true,"nulls":"last"}},' +
  '{"name":"kind","physical":"kind","role":"key","type":{"kind":"dictionary","desc":false,"nullable":false,"codes":[["b","y"],["a","x"]]}},' +
  '{"name":"pad","physical":"pad","role":"key","type":{"kind":"paddedText","desc":false,"nullable":false,"width":6,"pad":"_"}},' +
  '{"name":"sep","physical":"sep","role":"key","type":{"kind":"separatedText","desc":false,"nullable":false,"separator":"|"}},' +
  '{"name":"back","physical":"back","role":"key","type":{"kind":"reversed","desc":false,"nullable":false,"inner":{"kind":"int64","desc":false,"nullable":false,"as":"number"}}},' +
  '{"name":"tiny","physical":"small","role":"key","type":{"kind":"int8","desc":false,"nullable":false}},' +
  '{"name":"a","physical":"a","role":"value","type":{"kind":"text","desc":false,"nullable":true,"nulls":"first","default":{"kind":"constant","value":"x"}}},' +
  '{"name":"b","physical":"b","role":"value","type":{"kind":"bytes","desc":false,"nullable":false,"default":{"kind":"constant","value":{"bytes":"00ff"}}}},' +
  '{"name":"c","physical":"c","role":"value","type":{"kind":"fixedBytes","desc":false,"nullable":false,"width":2}},' +
  '{"name":"d","physical":"d","role":"value","type":{"kind":"bool","desc":false,"nullable":false,"default":{"kind":"constant","value":false}}},' +
  '{"name":"e","physical":"e","role":"value","type":{"kind":"json","desc":false,"nullable":false,"default":{"kind":"constant","value":"{\\"b\\":[1],\\"a\\":null}"}}},' +
  '{"name":"f","physical":"f","role":"value","type":{"kind":"int16","desc":false,"nullable":false,"default":{"kind":"constant","value":-1}}},' +
  '{"name":"g","physical":"g","role":"value","type":{"kind":"int32","desc":false,"nullable":false,"default":{"kind":"random","below":9}}},' +
  '{"name":"h","physical":"h","role":"value","type":{"kind":"int64","desc":false,"nullable":false,"as":"bigint","default":{"kind":"constant","value":{"bigint":"9007199254740993"}}}},' +
  '{"name":"i","physical":"i","role":"value","type":{"kind":"uint8","desc":false,"nullable":false}},' +
  '{"name":"j","physical":"j","role":"value","type":{"kind":"uint32","desc":false,"nullable":false}},' +
  '{"name":"k","physical":"k","role":"value","type":{"kind":"uint64","desc":false,"nullable":false,"as":"number","default":{"kind":"constant","value":{"bigint":"3"}}}},' +
  '{"name":"l","physical":"l","role":"value","type":{"kind":"float32","desc":false,"nullable":false,"default":{"kind":"constant","value":{"number":"Infinity"}}}},' +
  '{"name":"m","physical":"m","role":"value","type":{"kind":"float64","desc":false,"nullable":false,"default":{"kind":"constant","value":{"number":"NaN"}}}},' +
  '{"name":"n","physical":"n","role":"value","type":{"kind":"timestamp","desc":false,"nullable":false,"as":"bigint","unit":"us","default":{"kind":"now"}}},' +
  '{"name":"o","physical":"o","role":"value","type":{"kind":"timestamp","desc":false,"nullable":false,"as":"bigint","unit":"ns"}},' +
  '{"name":"p_","physical":"p_","role":"value","type":{"kind":"timestamp","desc":false,"nullable":false,"as":"bigint","unit":"ms","default":{"kind":"constant","value":7}}},' +
  '{"name":"q","physical":"q","role":"value","type":{"kind":"date","desc":false,"nullable":false,"as":"Date","default":{"kind":"constant","value":0}}},' +
  '{"name":"r","physical":"r","role":"value","type":{"kind":"date","desc":false,"nullable":false,"as":"number"}}],"stores":{"cassandra":{"compaction":"TimeWindow"}}}'

/** As every version that has these types. */
export const laterTypes: string =
  '{"format":1,"name":"later_types","writes":"conditional","salt":[{"kind":"hashPartition","of":["price"],"count":7,"seed":0}],"columns":[' +
  '{"name":"price","physical":"price","role":"key","type":{"kind":"decimal","desc":false,"nullable":false,"precision":9,"scale":2}},' +
  '{"name":"clock","physical":"clock","role":"key","type":{"kind":"uuid","desc":false,"nullable":false,"order":"time"}},' +
  '{"name":"id","physical":"id","role":"key","type":{"kind":"ulid","desc":false,"nullable":false,"default":{"kind":"ulid"}}},' +
  '{"name":"v","physical":"v","role":"value","type":{"kind":"decimal","desc":false,"nullable":true,"nulls":"first","precision":38,"scale":0}},' +
  '{"name":"w","physical":"w","role":"value","type":{"kind":"decimal","desc":false,"nullable":false,"precision":4,"scale":4,"default":{"kind":"constant","value":"0.5000"}}}]}'

/** As every version that has expiry and versions. */
export const expiring: string =
  '{"format":1,"name":"expiring","writes":"conditional","salt":[],"columns":[' +
  '{"name":"k","physical":"k","role":"key","type":{"kind":"text","desc":false,"nullable":false}},' +
  '{"name":"z","physical":"z","role":"value","type":{"kind":"float64","desc":false,"nullable":false,"default":{"kind":"constant","value":{"number":"-0"}}}},' +
  '{"name":"rk_expires","physical":"rk_expires","role":"expiry","type":{"kind":"timestamp","desc":false,"nullable":true,"nulls":"first","as":"number","unit":"ms"}},' +
  '{"name":"rev","physical":"rk_version","role":"version","type":{"kind":"text","desc":false,"nullable":true,"nulls":"first"}}],"ttl":259200000}'
