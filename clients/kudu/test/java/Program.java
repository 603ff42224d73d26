import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.ColumnTypeAttributes;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.*;
import org.apache.kudu.util.DateUtil;

/**
 * Another program, with Kudu's own client. It reads commands, a line each, and answers each with a line:
 *
 * create TABLE COLUMNS HASH RANGE BOUNDS   creates a table
 * keys TABLE ROW…                          the encoded key and the partition key of each row, as key/partition
 * tablets TABLE START STOP PREDICATE…      the ids of the tablets that a scan reads, in order
 * write TABLE ROW…                         upserts rows
 * read TABLE                               all rows
 *
 * COLUMNS    name:TYPE:precision:scale:length:k (key), n (can be null) or v;… Absent numbers are 0.
 * HASH       columns:buckets:seed;… with positions of columns, separated by ','; - for none
 * RANGE      positions of columns, separated by ','; - for none
 * BOUNDS     from..to or from..to@HASH of each range, separated by '|'; bounds have cells of the range columns; - for one range
 * ROW        cells of the columns, separated by ','; one that is empty is not set
 * START, STOP  a row with the whole key; - for none
 * PREDICATE  position:op:cell,… where op is eq, in, ge, lt, null or notNull
 * A cell is ~ (null), a number (floats by their bits, booleans 0 and 1, decimals without their point), or x and the bytes of a text in hexadecimal.
 */
public class Program {
  private static final HexFormat HEX = HexFormat.of();

  public static void main(String[] arguments) throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(Arrays.asList(arguments[0].split(","))).build();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        try {
          System.out.println(execute(client, line.split(" ")));
        } catch (Exception error) {
          System.out.println("error " + error.toString().replace('\n', ' '));
        }
      }
    }
  }

  private static String execute(KuduClient client, String[] words) throws Exception {
    if (words[0].equals("create")) return create(client, words);
    KuduTable table = client.openTable(words[1]);
    Schema schema = table.getSchema();
    StringJoiner answer = new StringJoiner(" ");
    switch (words[0]) {
      case "keys":
        for (int i = 2; i < words.length; i++) {
          PartialRow row = row(schema, words[i]);
          answer.add(HEX.formatHex(row.encodePrimaryKey()) + "/" + HEX.formatHex(table.getPartitionSchema().encodePartitionKey(row)));
        }
        return answer.toString();
      case "tablets":
        KuduScanToken.KuduScanTokenBuilder builder = client.newScanTokenBuilder(table);
        if (!words[2].equals("-")) builder.lowerBound(row(schema, words[2]));
        if (!words[3].equals("-")) builder.exclusiveUpperBound(row(schema, words[3]));
        for (int i = 4; i < words.length; i++) builder.addPredicate(predicate(schema, words[i]));
        for (KuduScanToken token : builder.build()) answer.add(new String(token.getTablet().getTabletId(), StandardCharsets.UTF_8));
        return answer.toString();
      case "write":
        KuduSession session = client.newSession();
        session.setFlushMode(SessionConfiguration.FlushMode.MANUAL_FLUSH);
        session.setMutationBufferSpace(words.length);
        for (int i = 2; i < words.length; i++) {
          Upsert upsert = table.newUpsert();
          fill(upsert.getRow(), words[i]);
          session.apply(upsert);
        }
        for (OperationResponse response : session.flush()) if (response.hasRowError()) throw new Exception(response.getRowError().toString());
        session.close();
        return "done";
      case "read":
        KuduScanner scanner = client.newScannerBuilder(table).build();
        while (scanner.hasMoreRows()) for (RowResult row : scanner.nextRows()) answer.add(cells(schema, row));
        return answer.toString();
      default:
        return "error unknown command";
    }
  }

  private static String create(KuduClient client, String[] words) throws Exception {
    List<ColumnSchema> columns = new ArrayList<>();
    for (String word : words[2].split(";")) {
      String[] parts = word.split(":");
      ColumnTypeAttributes.ColumnTypeAttributesBuilder attributes = new ColumnTypeAttributes.ColumnTypeAttributesBuilder();
      if (!parts[2].equals("0")) attributes.precision(Integer.parseInt(parts[2])).scale(Integer.parseInt(parts[3]));
      if (!parts[4].equals("0")) attributes.length(Integer.parseInt(parts[4]));
      ColumnSchema.ColumnSchemaBuilder column = new ColumnSchema.ColumnSchemaBuilder(parts[0], Type.valueOf(parts[1]));
      if (!parts[2].equals("0") || !parts[4].equals("0")) column.typeAttributes(attributes.build());
      columns.add(column.key(parts[5].equals("k")).nullable(parts[5].equals("n")).build());
    }
    Schema schema = new Schema(columns);
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(1);
    if (!words[3].equals("-")) for (String level : words[3].split(";")) {
      String[] parts = level.split(":");
      options.addHashPartitions(names(schema, parts[0]), Integer.parseInt(parts[1]), Integer.parseUnsignedInt(parts[2]));
    }
    List<String> range = names(schema, words[4]);
    options.setRangePartitionColumns(range);
    if (!words[5].equals("-")) for (String word : words[5].split("\\|")) {
      String[] parts = word.split("@");
      String[] bounds = parts[0].split("\\.\\.", -1);
      PartialRow from = bound(schema, range, bounds[0]);
      PartialRow to = bound(schema, range, bounds[1]);
      if (parts.length == 1) {
        options.addRangePartition(from, to);
        continue;
      }
      RangePartitionWithCustomHashSchema partition = new RangePartitionWithCustomHashSchema(
          from, to, RangePartitionBound.INCLUSIVE_BOUND, RangePartitionBound.EXCLUSIVE_BOUND);
      for (String level : parts[1].split(";")) {
        String[] levelParts = level.split(":");
        partition.addHashPartitions(names(schema, levelParts[0]), Integer.parseInt(levelParts[1]), Integer.parseUnsignedInt(levelParts[2]));
      }
      options.addRangePartition(partition);
    }
    client.createTable(words[1], schema, options);
    return "done";
  }

  private static List<String> names(Schema schema, String positions) {
    List<String> names = new ArrayList<>();
    if (!positions.equals("-")) for (String position : positions.split(",")) names.add(schema.getColumnByIndex(Integer.parseInt(position)).getName());
    return names;
  }

  private static PartialRow bound(Schema schema, List<String> range, String cells) {
    PartialRow row = schema.newPartialRow();
    if (cells.isEmpty()) return row;
    String[] words = cells.split(",");
    for (int i = 0; i < words.length; i++) set(row, schema.getColumnIndex(range.get(i)), words[i]);
    return row;
  }

  private static PartialRow row(Schema schema, String cells) {
    PartialRow row = schema.newPartialRow();
    fill(row, cells);
    return row;
  }

  private static void fill(PartialRow row, String cells) {
    String[] words = cells.split(",");
    for (int i = 0; i < words.length; i++) if (!words[i].isEmpty()) set(row, i, words[i]);
  }

  private static void set(PartialRow row, int index, String cell) {
    if (cell.equals("~")) row.setNull(index);
    else row.addObject(index, value(row.getSchema().getColumnByIndex(index), cell));
  }

  private static Object value(ColumnSchema column, String cell) {
    switch (column.getType()) {
      case INT8: return Byte.valueOf(cell);
      case INT16: return Short.valueOf(cell);
      case INT32: return Integer.valueOf(cell);
      case INT64: case UNIXTIME_MICROS: return Long.valueOf(cell);
      case DATE: return DateUtil.epochDaysToSqlDate(Integer.parseInt(cell));
      case DECIMAL: return new BigDecimal(new BigInteger(cell), column.getTypeAttributes().getScale());
      case BOOL: return cell.equals("1");
      case FLOAT: return Float.intBitsToFloat(Integer.parseUnsignedInt(cell));
      case DOUBLE: return Double.longBitsToDouble(Long.parseUnsignedLong(cell));
      case BINARY: return HEX.parseHex(cell.substring(1));
      default: return new String(HEX.parseHex(cell.substring(1)), StandardCharsets.UTF_8);
    }
  }

  private static KuduPredicate predicate(Schema schema, String word) {
    String[] parts = word.split(":", -1);
    ColumnSchema column = schema.getColumnByIndex(Integer.parseInt(parts[0]));
    switch (parts[1]) {
      case "null": return KuduPredicate.newIsNullPredicate(column);
      case "notNull": return KuduPredicate.newIsNotNullPredicate(column);
      case "in":
        List<Object> values = new ArrayList<>();
        if (!parts[2].isEmpty()) for (String cell : parts[2].split(",")) values.add(value(column, cell));
        return KuduPredicate.newInListPredicate(column, values);
      case "eq": return KuduPredicate.newComparisonPredicate(column, KuduPredicate.ComparisonOp.EQUAL, value(column, parts[2]));
      case "ge": return KuduPredicate.newComparisonPredicate(column, KuduPredicate.ComparisonOp.GREATER_EQUAL, value(column, parts[2]));
      default: return KuduPredicate.newComparisonPredicate(column, KuduPredicate.ComparisonOp.LESS, value(column, parts[2]));
    }
  }

  private static String cells(Schema schema, RowResult row) {
    StringJoiner cells = new StringJoiner(",");
    for (int i = 0; i < schema.getColumnCount(); i++) {
      if (row.isNull(i)) {
        cells.add("~");
        continue;
      }
      switch (schema.getColumnByIndex(i).getType()) {
        case INT8: cells.add(String.valueOf(row.getByte(i))); break;
        case INT16: cells.add(String.valueOf(row.getShort(i))); break;
        case INT32: case DATE: cells.add(String.valueOf(row.getInt(i))); break;
        case INT64: case UNIXTIME_MICROS: cells.add(String.valueOf(row.getLong(i))); break;
        case DECIMAL: cells.add(row.getDecimal(i).unscaledValue().toString()); break;
        case BOOL: cells.add(row.getBoolean(i) ? "1" : "0"); break;
        case FLOAT: cells.add(Integer.toUnsignedString(Float.floatToRawIntBits(row.getFloat(i)))); break;
        case DOUBLE: cells.add(Long.toUnsignedString(Double.doubleToRawLongBits(row.getDouble(i)))); break;
        case BINARY: cells.add("x" + HEX.formatHex(row.getBinaryCopy(i))); break;
        case VARCHAR: cells.add("x" + HEX.formatHex(row.getVarchar(i).getBytes(StandardCharsets.UTF_8))); break;
        default: cells.add("x" + HEX.formatHex(row.getString(i).getBytes(StandardCharsets.UTF_8)));
      }
    }
    return cells.toString();
  }
}
