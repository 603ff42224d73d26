import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Another program, with HBase's own client. It reads commands, a line each, and answers each with a line:
 *
 * get TABLE ROW QUALIFIER METHOD         what a method of Bytes reads of a cell of family f: toInt, toLong, …, hex; null if there is none
 * put TABLE ROW [QUALIFIER METHOD VALUE]… writes cells of family f as Bytes.toBytes does
 * split TABLE ROW                        cuts the region of a row at that row, and waits until both halves are open
 * move TABLE                             closes all regions of a table and opens them again, as a balancer does
 * flush TABLE, compact TABLE             writes to files; rewrites all files
 * key none FORMULA USER ORDER TS          a rowkey by a formula of the guides; ORDER and TS are numbers
 * border TABLE TEXT                      the bytes that the HBase shell makes of a text in SPLITS, by the same method
 *
 * Rows and bytes are in hexadecimal digits.
 */
public class Program {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  public static void main(String[] arguments) throws Exception {
    org.apache.log4j.Logger.getRootLogger().addAppender(new org.apache.log4j.varia.NullAppender());
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", arguments[0].split(":")[0]);
    configuration.set("hbase.zookeeper.property.clientPort", arguments[0].split(":")[1]);
    configuration.set("hbase.client.pause", "20");
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        try {
          System.out.println(execute(connection, line.split(" ")));
        } catch (Exception error) {
          System.out.println("error " + error.toString().replace('\n', ' '));
        }
      }
    }
  }

  private static String execute(Connection connection, String[] words) throws Exception {
    TableName name = TableName.valueOf(words[1]);
    try (Table table = connection.getTable(name); Admin admin = connection.getAdmin()) {
      switch (words[0]) {
        case "get":
          byte[] cell = table.get(new Get(bytes(words[2]))).getValue(FAMILY, Bytes.toBytes(words[3]));
          return cell == null ? "null" : read(words[4], cell);
        case "put":
          Put put = new Put(bytes(words[2]));
          for (int i = 3; i < words.length; i += 3) put.addColumn(FAMILY, Bytes.toBytes(words[i]), write(words[i + 1], words[i + 2]));
          table.put(put);
          return "done";
        case "split":
          int before = admin.getRegions(name).size();
          admin.split(name, bytes(words[2]));
          for (int i = 0; i < 600 && (admin.getRegions(name).size() == before || !admin.isTableAvailable(name)); i++) Thread.sleep(50);
          return String.valueOf(admin.getRegions(name).size());
        case "move":
          List<RegionInfo> regions = admin.getRegions(name);
          for (RegionInfo region : regions) {
            admin.unassign(region.getRegionName(), true);
            admin.assign(region.getRegionName());
          }
          return String.valueOf(regions.size());
        case "flush":
          admin.flush(name);
          return "done";
        case "compact":
          admin.majorCompact(name);
          for (int i = 0; i < 600 && admin.getCompactionState(name) != CompactionState.NONE; i++) Thread.sleep(50);
          return "done";
        case "key":
          return HexFormat.of().formatHex(key(words[2], new String(bytes(words[3]), StandardCharsets.UTF_8), words[4], Long.parseLong(words[5])));
        case "border":
          return HexFormat.of().formatHex(Bytes.toBytesBinary(new String(bytes(words[2]), StandardCharsets.UTF_8)));
        default:
          return "error unknown command";
      }
    }
  }

  private static byte[] key(String formula, String user, String order, long ts) throws Exception {
    String hash = HexFormat.of().formatHex(java.security.MessageDigest.getInstance("MD5").digest(Bytes.toBytes(user))).substring(0, 4);
    String back = new StringBuilder(user).reverse().toString();
    byte[] rest = Bytes.add(Bytes.toBytes(ts), Bytes.toBytes(user));
    switch (formula) {
      case "md5":
        return Bytes.add(Bytes.toBytes(hash + user), Bytes.toBytes(Long.parseLong(order)));
      case "reversed":
        return Bytes.toBytes(back + "_" + order);
      case "reversedNumber":
        return Bytes.toBytes(new StringBuilder(Long.toString(ts)).reverse() + "_" + order);
      case "longBucket":
        return Bytes.add(Bytes.toBytes(ts % 16), rest);
      case "intBucket":
        return Bytes.add(Bytes.toBytes((int) (ts % 16)), rest);
      case "textBucket":
        return Bytes.toBytes((ts % 16) + "_" + ts + "_" + user);
      case "paddedBucket":
        return Bytes.toBytes(String.format("%02d", ts % 16) + "_" + String.format("%013d", ts) + user);
      case "newestFirst":
        return Bytes.toBytes(user + "_" + (Long.MAX_VALUE - ts));
      case "seconds":
        java.time.Instant at = java.time.Instant.ofEpochMilli(ts);
        return Bytes.toBytes(user + "_" + java.time.format.DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(java.time.ZoneOffset.UTC).format(at));
      case "constant":
        return Bytes.toBytes("O_" + user + "_" + order);
      default:
        throw new IllegalArgumentException(formula);
    }
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static String read(String method, byte[] cell) {
    switch (method) {
      case "toBoolean":
        return String.valueOf(Bytes.toBoolean(cell));
      case "toInt":
        return String.valueOf(Bytes.toInt(cell));
      case "toLong":
        return String.valueOf(Bytes.toLong(cell));
      case "toFloat":
        return String.valueOf(Bytes.toFloat(cell));
      case "toDouble":
        return String.valueOf(Bytes.toDouble(cell));
      case "toString":
        return "hex " + HexFormat.of().formatHex(Bytes.toString(cell).getBytes(StandardCharsets.UTF_8));
      default:
        return "hex " + HexFormat.of().formatHex(cell);
    }
  }

  private static byte[] write(String method, String value) {
    switch (method) {
      case "toBoolean":
        return Bytes.toBytes(Boolean.parseBoolean(value));
      case "toInt":
        return Bytes.toBytes(Integer.parseInt(value));
      case "toLong":
        return Bytes.toBytes(Long.parseLong(value));
      case "toFloat":
        return Bytes.toBytes(Float.parseFloat(value));
      case "toDouble":
        return Bytes.toBytes(Double.parseDouble(value));
      case "toString":
        return Bytes.toBytes(new String(bytes(value.equals("-") ? "" : value), StandardCharsets.UTF_8));
      default:
        return bytes(value.equals("-") ? "" : value);
    }
  }
}
