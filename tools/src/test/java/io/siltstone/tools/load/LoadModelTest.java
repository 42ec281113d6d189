package io.siltstone.tools.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.RandomSchemas;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Loads random rows of random tables, in random order, with duplicates, nulls and static columns,
 * with little and with much memory: the result has the content of a map in memory, in the same
 * order.
 */
class LoadModelTest {
  private static final int ROWS = 300;

  static LongStream seeds() {
    long first = Long.getLong("load.seed", 1);
    return LongStream.range(first, first + Integer.getInteger("load.seeds", 13));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void jsonHoldsWhatTheModelHolds(long seed) throws IOException {
    check(seed, InputFormat.JSONL);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void csvHoldsWhatTheModelHolds(long seed) throws IOException {
    check(seed, InputFormat.CSV);
  }

  private static void check(long seed, InputFormat format) throws IOException {
    TableSchema random = RandomSchemas.table(seed);
    if (random.isCounter()) {
      return;
    }
    TableSchema table =
        random.withOptions(
            TableOptions.builder().compression(random.options().compression()).build());
    Model model = new Model(table, new Random(seed), format);
    String text = model.text();
    String expected = model.expected();
    for (long budget : new long[] {64 << 20, 8 << 10}) {
      LoadPlan plan =
          new LoadPlan(
              table,
              "random",
              format,
              // Later than columns of random tables were dropped and added again.
              new CellTimes(1L << 53, 0, Loads.NOW),
              new LoadPlan.Output(
                  seed % 2 == 0 ? FormatVersion.OA : FormatVersion.NB,
                  model.partitioner,
                  OutputVerification.FULL),
              budget,
              LoadPlan.DEFAULT_MAX_LINE_BYTES,
              0);
      MemoryDirectory directory = new MemoryDirectory();
      LoadResult result = Loads.load(plan, directory, text);
      String where = "seed " + seed + ", budget " + budget + ", " + result + "\n" + table;
      String name = plan.output().version().text() + "-1-big";
      assertThat(Loads.export(table, directory, name, new HexRows(), Loads.NOW))
          .as(where)
          .isEqualTo(expected);
      assertThat(directory.files())
          .as(where)
          .noneMatch(file -> file.endsWith(".tmp"))
          .contains("schema.cql");
      if (budget < 1 << 20) {
        assertThat(result.runs()).as(where).isGreaterThan(2);
        assertThat(result.passes()).as(where).isGreaterThan(1);
      }
      again(plan, directory, name, expected, where);
    }
  }

  /** Loads what was exported, which must give the same table. */
  private static void again(
      LoadPlan plan, MemoryDirectory directory, String name, String expected, String where)
      throws IOException {
    String printed = Loads.export(plan.table(), directory, name, plan.format(), Loads.NOW);
    MemoryDirectory second = new MemoryDirectory();
    Loads.load(plan, second, printed);
    assertThat(Loads.export(plan.table(), second, name, new HexRows(), Loads.NOW))
        .as("again, " + where + "\n" + printed)
        .isEqualTo(expected);
  }

  /** Formats values in hexadecimal, which shows what a comparison of texts could hide. */
  private static final class HexRows implements RowText {
    @Override
    public ValueText values() {
      return (type, value, offset, length, out) ->
          out.append(HexFormat.of().formatHex(value, offset, offset + length)).append(';');
    }

    @Override
    public void appendHeader(List<String> names, StringBuilder out) {}

    @Override
    public void append(List<String> names, OutputRow row, StringBuilder out) {
      for (int i = 0; i < names.size(); i++) {
        if (row.has(i)) {
          out.append(names.get(i)).append('=');
          row.appendTo(out, i);
        }
      }
      out.append('\n');
    }
  }

  /** The specified order of partitions and rows. */
  private static final class Key implements Comparable<Key> {
    private final long token;
    private final byte[] partition;
    private final List<byte[]> clustering;
    private final List<CqlType> types;

    Key(long token, byte[] partition, List<byte[]> clustering, List<CqlType> types) {
      this.token = token;
      this.partition = partition;
      this.clustering = clustering;
      this.types = types;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && compareTo(key) == 0;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(token);
    }

    @Override
    public int compareTo(Key other) {
      int order = Long.compare(token, other.token);
      order = order != 0 ? order : Arrays.compareUnsigned(partition, other.partition);
      for (int i = 0; order == 0 && i < Math.min(clustering.size(), other.clustering.size()); i++) {
        byte[] left = clustering.get(i);
        byte[] right = other.clustering.get(i);
        order = types.get(i).compare(left, 0, left.length, right, 0, right.length);
      }
      return order != 0 ? order : Integer.compare(clustering.size(), other.clustering.size());
    }
  }

  /** Rows as text, and their expected result. */
  private static final class Model {
    private final TableSchema table;
    private final Random random;
    private final RandomValue values;
    private final InputFormat format;
    private final ValueText printer;
    final Partitioner partitioner;

    private final TreeMap<Key, Map<String, String>> rows = new TreeMap<>();
    private final TreeMap<Key, Map<String, String>> statics = new TreeMap<>();
    private final TreeMap<Key, Map<String, String>> partitionKeys = new TreeMap<>();

    Model(TableSchema table, Random random, InputFormat format) {
      this.table = table;
      this.random = random;
      this.values = new RandomValue(random);
      this.format = format;
      this.printer = RowText.of(format).values();
      this.partitioner = random.nextBoolean() ? Partitioner.MURMUR3 : Partitioner.BYTE_ORDERED;
    }

    String text() {
      List<List<byte[]>> partitions = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        partitions.add(keyValues(table.partitionKeyColumns()));
      }
      List<List<byte[]>> clusterings = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        clusterings.add(keyValues(table.clusteringColumns()));
      }
      StringBuilder text = new StringBuilder();
      if (format == InputFormat.CSV) {
        RowText.of(format).appendHeader(names(), text);
      }
      for (int i = 0; i < ROWS; i++) {
        row(
            partitions.get(random.nextInt(partitions.size())),
            clusterings.get(random.nextInt(clusterings.size())),
            text);
      }
      return text.toString();
    }

    private List<String> names() {
      List<String> names = new ArrayList<>();
      for (List<Column> columns :
          List.of(
              table.partitionKeyColumns(),
              table.clusteringColumns(),
              table.staticColumns(),
              table.regularColumns())) {
        columns.forEach(column -> names.add(column.name()));
      }
      return names;
    }

    private List<byte[]> keyValues(List<Column> columns) {
      List<byte[]> made = new ArrayList<>();
      for (Column column : columns) {
        byte[] value = values.bytes(column.type());
        while (value.length == 0) {
          value = values.bytes(column.type());
        }
        made.add(value);
      }
      return made;
    }

    private byte[] serializedKey(List<byte[]> parts) {
      if (parts.size() == 1) {
        return parts.get(0);
      }
      ByteArrayOutputStream key = new ByteArrayOutputStream();
      for (byte[] part : parts) {
        key.write(part.length >> 8);
        key.write(part.length);
        key.writeBytes(part);
        key.write(0);
      }
      return key.toByteArray();
    }

    private void row(List<byte[]> partition, List<byte[]> clustering, StringBuilder text) {
      Map<String, String> printed = new HashMap<>();
      byte[] bytes = serializedKey(partition);
      Key partitionKey =
          new Key(
              partitioner.token(bytes, 0, bytes.length), bytes, List.of(), table.clusteringTypes());
      Map<String, String> keys = new HashMap<>();
      for (int i = 0; i < partition.size(); i++) {
        put(table.partitionKeyColumns().get(i), partition.get(i), keys, printed);
      }
      partitionKeys.put(partitionKey, keys);
      boolean staticOnly = table.hasStatic() && random.nextInt(10) == 0;
      int before = printed.size();
      Map<String, String> staticValues =
          statics.computeIfAbsent(partitionKey, ignored -> new HashMap<>());
      columns(table.staticColumns(), staticValues, printed);
      if (!staticOnly || printed.size() == before) {
        Key key = new Key(partitionKey.token, bytes, clustering, table.clusteringTypes());
        Map<String, String> row = rows.computeIfAbsent(key, ignored -> new HashMap<>());
        for (int i = 0; i < clustering.size(); i++) {
          put(table.clusteringColumns().get(i), clustering.get(i), row, printed);
        }
        columns(table.regularColumns(), row, printed);
      }
      print(printed, text);
    }

    private void columns(
        List<Column> columns, Map<String, String> row, Map<String, String> printed) {
      for (Column column : columns) {
        int choice = random.nextInt(5);
        if (choice == 0) {
          continue;
        }
        if (choice == 1 && format == InputFormat.JSONL) {
          printed.put(column.name(), "null");
          row.remove(column.name());
        } else {
          put(column, values.bytes(column.type()), row, printed);
        }
      }
    }

    private void put(
        Column column, byte[] value, Map<String, String> row, Map<String, String> printed) {
      StringBuilder text = new StringBuilder();
      printer.append(column.type().unreversed().frozen(), value, 0, value.length, text);
      printed.put(column.name(), text.toString());
      boolean none =
          column.type().isMultiCell()
              && column.type().kind() != TypeKind.USER
              && value.length == Integer.BYTES;
      if (none) {
        // A collection without elements does not exist.
        row.remove(column.name());
      } else {
        row.put(column.name(), HexFormat.of().formatHex(value) + ';');
      }
    }

    private void print(Map<String, String> printed, StringBuilder text) {
      if (format == InputFormat.CSV) {
        StringBuilder line = new StringBuilder();
        names().forEach(name -> line.append(printed.getOrDefault(name, "")).append(','));
        line.setLength(line.length() - 1);
        text.append(line).append(random.nextBoolean() ? "\n" : "\r\n");
        return;
      }
      List<String> names = new ArrayList<>(printed.keySet());
      Collections.shuffle(names, random);
      text.append(random.nextInt(20) == 0 ? "\n {" : "{");
      for (int i = 0; i < names.size(); i++) {
        text.append(i == 0 ? "" : ",").append(random.nextBoolean() ? " " : "");
        JsonRowText.appendString(ColumnNames.toText(names.get(i)), text);
        text.append(random.nextBoolean() ? ": " : ":").append(printed.get(names.get(i)));
      }
      text.append(random.nextBoolean() ? "}\n" : "} \r\n");
    }

    String expected() {
      StringBuilder text = new StringBuilder();
      for (Map.Entry<Key, Map<String, String>> partition : statics.entrySet()) {
        Key from = partition.getKey();
        boolean any = false;
        for (Map.Entry<Key, Map<String, String>> row : rows.tailMap(from, true).entrySet()) {
          if (!Arrays.equals(row.getKey().partition, from.partition)) {
            break;
          }
          line(from, partition.getValue(), row.getValue(), text);
          any = true;
        }
        if (!any && !partition.getValue().isEmpty()) {
          line(from, partition.getValue(), null, text);
        }
      }
      return text.toString();
    }

    private void line(
        Key partition,
        Map<String, String> staticValues,
        @Nullable Map<String, String> row,
        StringBuilder text) {
      Map<String, String> all = new HashMap<>(staticValues);
      all.putAll(partitionKeys.getOrDefault(partition, Map.of()));
      if (row != null) {
        all.putAll(row);
      }
      for (String name : names()) {
        if (all.containsKey(name)) {
          text.append(name).append('=').append(all.get(name));
        }
      }
      text.append('\n');
    }
  }
}
