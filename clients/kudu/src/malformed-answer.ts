/** Bytes from a server that are not what they should be. Whoever knows the call turns it into a `KuduError`. */
export class MalformedAnswer extends Error {}
