package io.siltstone.tools.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.catalog.TableLock;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.tools.terminal.UsageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads good and bad rows of texts. */
class LoaderTest {
  private static final TableSchema TABLE =
      Loads.schema(
          "CREATE TABLE ks.t (k int, c text, s text static, v int, \"Name\" text, l list<int>,"
              + " PRIMARY KEY (k, c))");

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryDirectory directory = new MemoryDirectory();

  private String json(String text) throws IOException {
    return Loads.roundTrip(TABLE, directory, text);
  }

  private String csv(String text) throws IOException {
    Loads.load(Loads.plan(TABLE, InputFormat.CSV), directory, text);
    return Loads.export(TABLE, directory, "oa-1-big", InputFormat.JSONL, Loads.NOW);
  }

  private void refused(InputFormat format, String text, String... contents) throws IOException {
    assertThatThrownBy(() -> Loads.load(Loads.plan(TABLE, format), directory, text))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll(contents);
    assertThat(directory.files()).isEmpty();
  }

  @Test
  void laterLinesWinColumnByColumn() throws IOException {
    assertThat(
            json(
                """
                {"k": 1, "c": "a", "v": 1, "l": [1, 2], "Name": "x", "s": "one"}
                {"k": 1, "c": "b", "v": 5}
                {"k": 1, "c": "a", "v": 2, "s": "two"}
                {"k": 1, "c": "a", "l": [3], "Name": null}
                """))
        .isEqualTo(
            """
            {"k": 1, "c": "a", "s": "two", "v": 2, "l": [3]}
            {"k": 1, "c": "b", "s": "two", "v": 5}
            """);
  }

  @Test
  void staticColumnsAlone() throws IOException {
    assertThat(json("{\"k\": 1, \"s\": \"x\"}\n{\"k\": 2, \"c\": \"\", \"s\": \"y\"}"))
        .isEqualTo("{\"k\": 1, \"s\": \"x\"}\n{\"k\": 2, \"c\": \"\", \"s\": \"y\"}\n");
  }

  @Test
  void namesByTheRuleOfCql() throws IOException {
    assertThat(json("{\"K\": 1, \"C\": \"a\", \"\\\"Name\\\"\": \"x\"}"))
        .isEqualTo("{\"k\": 1, \"c\": \"a\", \"\\\"Name\\\"\": \"x\"}\n");
  }

  @Test
  void byteOrderMarkEmptyLinesAndNoEndOfTheLastLine() throws IOException {
    assertThat(json("\ufeff\n{\"k\": 1, \"c\": \"a\"}\r\n\n  \n{\"k\": 1, \"c\": \"b\"}"))
        .isEqualTo("{\"k\": 1, \"c\": \"a\"}\n{\"k\": 1, \"c\": \"b\"}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "\ufeff"})
  void nothingToLoad(String text) throws IOException {
    refused(InputFormat.JSONL, text, "rows.txt: nothing to load");
    refused(InputFormat.CSV, text, "rows.txt: nothing to load");
    refused(InputFormat.CSV, text + "k,c\n", "rows.txt: nothing to load");
  }

  @Test
  void badRowsAreNamed() throws IOException {
    String good = "{\"k\": 1, \"c\": \"a\"}\n\n";
    refused(
        InputFormat.JSONL,
        good + "{\"k\": 1, \"c\": \"a\", \"v\": \"ten\"}",
        "rows.txt, line 3: column 'v': ",
        "ten");
    refused(
        InputFormat.JSONL,
        good + "{\"k\": 3000000000, \"c\": \"a\"}",
        "line 3: column 'k': 3000000000 is no int, allowed -2147483648 to 2147483647");
    refused(
        InputFormat.JSONL, good + "{\"k\": 1}", "line 3: column 'c' of the primary key is missing");
    refused(
        InputFormat.JSONL, good + "{\"k\": null, \"c\": \"\"}", "'k' of the primary key is null");
    refused(
        InputFormat.JSONL, good + "{\"k\": 1, \"v\": 1, \"s\": \"\"}", "'c' of the primary key");
    refused(InputFormat.JSONL, good + "{\"k\": 1, \"x\": 1}", "no column 'x', allowed k, c, s");
    refused(InputFormat.JSONL, good + "{\"k\": 1, \"k\": 1}", "column 'k': is given twice");
    refused(
        InputFormat.JSONL,
        good + "{\"k\": 1, ",
        "line 3: not JSON near character 10: Unexpected end");
    for (String noJson :
        List.of("/**/", "{\"k\": NaN}", "{\"k\": 01}", "{\"k\": 1, \"l\": [1", "{'k': 1}")) {
      assertThatThrownBy(() -> json(good + noJson))
          .hasMessageContaining("line 3: ")
          .hasMessageContaining("not JSON near character ")
          .hasMessageNotContainingAny("Feature", "enable", "Source");
    }
    refused(InputFormat.JSONL, good + "[1]", "expected '{', found '[1]'");
    refused(InputFormat.JSONL, good + "{\"k\": 1, \"c\": \"a\"} {}", "expected the end");
    refused(
        InputFormat.CSV, "k,c,v\n1,a,1\n1,\"a\nb\",x\n", "line 3: column 'v': ", "'x' is no int");
    refused(InputFormat.CSV, "k,c\n1,a,1\n", "line 2: 3 fields, the first line has 2");
    refused(
        InputFormat.CSV, "k,x\n1,a\n", "the first line names the columns: there is no column 'x'");
    refused(InputFormat.CSV, "k,c,K\n1,a,2\n", "'K' is named twice");
    refused(InputFormat.CSV, "k,c\n1,\"a\n", "line 2: a quoted field has no closing quote");
    refused(InputFormat.CSV, "k,c\n1,\"a\"b\n", "text after a closing quote");
    refused(InputFormat.CSV, "k,c\n1,a\"b\n", "a quote within a field without quotes");
  }

  @Test
  void aCarriageReturnAloneEndsNoRow() throws IOException {
    String reason = "a carriage return without a line feed after it";
    refused(InputFormat.CSV, "k,c,\"\"\"Name\"\"\"\n1,a,x\ry,b,z\n", "line 2: " + reason);
    refused(InputFormat.CSV, "k,c\n1,\"a\n\"\r2,b\n", "line 2: " + reason);
    refused(InputFormat.CSV, "k,c\n1,a\n2,b\r\r\n3,c\n", "line 3: " + reason);
    refused(InputFormat.CSV, "k,c\n1,a\n2,b\r", "line 3: " + reason);
    refused(InputFormat.CSV, "k,c\r1,a\r", "the first line names the columns: " + reason);
    LoadPlan plan = Loads.plan(TABLE, InputFormat.CSV);
    LoadResult result =
        Loads.load(
            with(plan, 64 << 20, plan.maxLineBytes(), 1),
            directory,
            "k,c\r\n1,a\r2,b\n1,\"c\rd\"\r\n\r\n1,\"\"\"\r\n\re\"\n");
    assertThat(result.skipped()).isEqualTo(1);
    assertThat(Loads.export(TABLE, directory, "oa-1-big", InputFormat.JSONL, Loads.NOW))
        .isEqualTo(
            """
            {"k": 1, "c": "\\"\\r\\n\\re"}
            {"k": 1, "c": "c\\rd"}
            """);
  }

  @Test
  void badRowsOfCsvMayBeSkippedAndLaterOnesKeepTheirLines() throws IOException {
    byte[] text =
        ("k,c,v\n1,a,1\n1,\"b\"x,2\n1,\"c\nd\",3\n1,\"?\",4\n1,e\"e,5\n\n1,\"" + "f".repeat(20_000))
            .concat("\"\n1,g,6,7\n1,h,8\n1,i,x\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    text[new String(text, StandardCharsets.ISO_8859_1).indexOf('?')] = (byte) 0xe9;
    LoadPlan plan = Loads.plan(TABLE, InputFormat.CSV);
    assertThatThrownBy(() -> Loads.load(with(plan, 64 << 20, 10_000, 5), directory, text))
        .hasMessageContaining("rows.txt, line 12: column 'v': 'x' is no int; 5 bad rows");
    assertThatThrownBy(() -> Loads.load(with(plan, 64 << 20, 10_000, 1), directory, text))
        .hasMessageContaining("line 6: byte 4 is 0xe9, which is not UTF-8");
    assertThatThrownBy(() -> Loads.load(with(plan, 64 << 20, 10_000, 3), directory, text))
        .hasMessageContaining("line 9: the line has more than 10000 bytes allowed");
    assertThat(Loads.load(with(plan, 64 << 20, 10_000, 6), directory, text).skipped()).isEqualTo(6);
    assertThat(Loads.export(TABLE, directory, "oa-1-big", InputFormat.JSONL, Loads.NOW))
        .isEqualTo(
            """
            {"k": 1, "c": "a", "v": 1}
            {"k": 1, "c": "c\\nd", "v": 3}
            {"k": 1, "c": "h", "v": 8}
            """);
  }

  @Test
  void aQuotedFieldHasALimitToo() throws IOException {
    String text = "k,c\n1,\"" + "a\n".repeat(10_000) + "\"\n2,b\n";
    LoadPlan plan = Loads.plan(TABLE, InputFormat.CSV);
    assertThatThrownBy(() -> Loads.load(with(plan, 64 << 20, 1000, 0), directory, text))
        .hasMessageContaining("line 2: the row has more than 1000 characters allowed");
  }

  @Test
  void csvMarksWhatIsThereWithQuotes() throws IOException {
    csv("\ufeffk, c ,\"\"\"Name\"\"\"\r\n1,a,\"\"\r\n1,b,\r\n");
    assertThat(Loads.export(TABLE, directory, "oa-1-big", InputFormat.CSV, Loads.NOW))
        .isEqualTo(
            """
            "k","c","s","\""Name\"\"","v","l"
            "1","a",,"",,
            "1","b",,,,
            """);
  }

  @Test
  void longStringsNamesAndNumbersAreTakenAsTheyStand() throws IOException {
    TableSchema table =
        Loads.schema("CREATE TABLE ks.t (k int PRIMARY KEY, m map<text, text>, d decimal)");
    String name = "n".repeat(100_000);
    String value = "é".repeat(10_500_000);
    String number = "9".repeat(2_000) + ".00";
    String line =
        "{\"k\": 1, \"d\": " + number + ", \"m\": {\"" + name + "\": \"" + value + "\"}}\n";
    assertThat(Loads.roundTrip(table, directory, line)).isEqualTo(line);
  }

  @Test
  void noDurationAtAllIsReadBack() throws IOException {
    TableSchema table =
        Loads.schema("CREATE TABLE ks.t (k int PRIMARY KEY, d duration, l list<duration>)");
    String line = "{\"k\": 1, \"d\": \"0s\", \"l\": [\"0s\", \"1mo\"]}\n";
    assertThat(Loads.roundTrip(table, directory, line)).isEqualTo(line);
  }

  @Test
  void deepNestingIsRefused() throws IOException {
    String line = "{\"k\": 1, \"c\": \"a\", \"l\": [" + "[".repeat(5_000);
    refused(InputFormat.JSONL, line, "line 1: column 'l': ", "a JSON array is not of type int");
  }

  @Test
  void linesAreNotReadAsAnotherEncoding() throws IOException {
    byte[] text = "{\"k\": 1, \"c\": \"a\"}".getBytes(StandardCharsets.UTF_16LE);
    assertThatThrownBy(() -> Loads.load(Loads.plan(TABLE, InputFormat.JSONL), directory, text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("line 1: not JSON near character 3");
  }

  @Test
  void badUtf8IsNamed() throws IOException {
    byte[] text = "{\"k\": 1, \"c\": \"?\"}".getBytes(StandardCharsets.ISO_8859_1);
    text[15] = (byte) 0xe9;
    assertThatThrownBy(() -> Loads.load(Loads.plan(TABLE, InputFormat.JSONL), directory, text))
        .hasMessageContaining("line 1: byte 16 is 0xe9, which is not UTF-8");
    assertThat(directory.files()).isEmpty();
  }

  @Test
  void someBadRowsMayBeSkipped() throws IOException {
    String text =
        "{\"k\": 1}\n{\"k\": 1, \"c\": \"a\"}\nx\n"
            + "y".repeat(300_000)
            + "\n{\"k\":2,\"c\":\"b\"}\n";
    LoadPlan plan = Loads.plan(TABLE, InputFormat.JSONL);
    LoadResult result = Loads.load(with(plan, 64 << 20, 200_000, 3), directory, text);
    assertThat(result.rows()).isEqualTo(2);
    assertThat(result.skipped()).isEqualTo(3);
    assertThatThrownBy(
            () -> Loads.load(with(plan, 64 << 20, 200_000, 2), new MemoryDirectory(), text))
        .hasMessageContaining("line 4: the line has more than 200000 bytes allowed; 2 bad rows");
  }

  private static LoadPlan with(LoadPlan plan, long memory, int maxLine, long skip) {
    return new LoadPlan(
        plan.table(),
        plan.inputName(),
        plan.format(),
        plan.times(),
        plan.output(),
        memory,
        maxLine,
        skip);
  }

  @Test
  void csvQuotesAndEmptyFields() throws IOException {
    assertThat(
            csv(
                "\"k\",c,\"\"\"Name\"\"\",v,l\n"
                    + "1,\"\",,,\n"
                    + "1,\"a,\"\"b\"\"\r\nc\",\"\",2,\"[1, 2]\"\r\n"
                    + "\n"
                    + "2,é, x ,,"))
        .isEqualTo(
            """
            {"k": 1, "c": ""}
            {"k": 1, "c": "a,\\"b\\"\\r\\nc", "\\"Name\\"": "", "v": 2, "l": [1, 2]}
            {"k": 2, "c": "é", "\\"Name\\"": " x "}
            """);
  }

  @Test
  void hugeRowsGoThroughASmallBudget() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      text.append("{\"k\": 1, \"c\": \"").append(9 - i).append("\", \"Name\": \"");
      text.append("x".repeat(1_000_000 + i)).append("\"}\n");
    }
    LoadPlan plan = Loads.plan(TABLE, InputFormat.JSONL);
    LoadResult result =
        Loads.load(
            with(plan, 8 << 10, LoadPlan.DEFAULT_MAX_LINE_BYTES, 0), directory, text.toString());
    assertThat(result.rows()).isEqualTo(5);
    assertThat(result.runs()).isGreaterThanOrEqualTo(5);
    assertThat(Loads.export(TABLE, directory, "oa-1-big", InputFormat.JSONL, Loads.NOW).lines())
        .hasSize(5)
        .first()
        .asString()
        .startsWith("{\"k\": 1, \"c\": \"5\"");
  }

  @Test
  void failuresLeaveWhatWasThere() throws IOException {
    LoadPlan plan = with(Loads.plan(TABLE, InputFormat.JSONL), 8 << 10, 1 << 20, 0);
    Loads.load(plan, directory, "{\"k\": 1, \"c\": \"a\"}");
    var before = directory.files();
    assertThatThrownBy(() -> Loads.load(plan, directory, rows(2000) + "no row"))
        .hasMessageContaining("line 2001");
    assertThat(directory.files()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anInterruptionLeavesWhatWasThere(boolean isReading) throws IOException {
    LoadPlan plan = with(Loads.plan(TABLE, InputFormat.JSONL), 8 << 10, 1 << 20, 0);
    Loads.load(plan, directory, "{\"k\": 1, \"c\": \"a\"}");
    var before = directory.files();
    CancelFlag stop = new CancelFlag("interrupted, nothing was loaded");
    LoadProgress interrupting =
        new LoadProgress() {
          @Override
          public void read(long bytes, long rows) {
            if (isReading && rows > 0) {
              assertThat(directory.files()).anyMatch(name -> name.contains("-load-"));
              stop.ask();
            }
          }

          @Override
          public void written(long records, long of) {
            assertThat(isReading).isFalse();
            assertThat(directory.files()).contains("oa-2-big-Data.db.tmp");
            stop.ask();
          }

          @Override
          public void end() {}
        };
    byte[] text = rows(5000).getBytes(StandardCharsets.UTF_8);
    Loader loader = new Loader(plan, directory, interrupting, stop);
    assertThatThrownBy(() -> loader.load(new ByteArrayInputStream(text)))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessageContaining("nothing was loaded");
    assertThat(directory.files()).isEqualTo(before);
  }

  private static String rows(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("{\"k\": ").append(i).append(", \"c\": \"a\", \"v\": 1}\n");
    }
    return text.toString();
  }

  @Test
  void whatAKilledLoadHasLeftIsRemoved() throws IOException {
    for (String name :
        List.of(
            "siltstone.lock",
            "schema.cql.tmp",
            "oa-4-big-load-1.tmp",
            "nb-1-big-load-12.tmp",
            "oa_txn_compaction_00000000-0000-1000-8000-000000000000.log")) {
      directory.create(name, WriteIntent.OTHER).close();
    }
    LoadPlan plan = Loads.plan(TABLE, InputFormat.JSONL);
    Loads.load(plan, directory, "{\"k\": 1, \"c\": \"a\"}");
    assertThat(directory.files())
        .contains("schema.cql", "oa-5-big-Data.db")
        .noneMatch(
            name -> name.endsWith(".tmp") || name.endsWith(".lock") || name.endsWith(".log"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"*-load-*", "siltstone.lock"})
  void whatCannotBeRemovedBehindTheTableIsAWarning(String remains) throws IOException {
    LoadPlan plan = with(Loads.plan(TABLE, InputFormat.JSONL), 8 << 10, 1 << 20, 0);
    Fault.Rule removal = Fault.on(Operation.DELETE).files(remains);
    Fault counter = removal.runs("counted", () -> {});
    Loads.load(plan, new FaultyDirectory(new MemoryDirectory(), 1, counter), rows(2000));
    Fault fault = removal.call(counter.calls()).fails("bad disk");
    LoadResult result = Loads.load(plan, faulty(fault), rows(2000));
    assertThat(fault.fired()).isPositive();
    assertThat(result.rows()).isEqualTo(2000);
    assertThat(result.warnings()).hasSize(1);
    assertThat(result.warnings().get(0)).contains("bad disk");
    assertThat(Loads.export(TABLE, directory, "oa-1-big", InputFormat.JSONL, Loads.NOW).lines())
        .hasSize(2000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingIsLeftOfASchemaThatGetsNoName(boolean isNamed) {
    LoadPlan plan = Loads.plan(TABLE, InputFormat.JSONL);
    Fault.Rule rule = Fault.on(Operation.RENAME).files("schema.cql");
    Fault fault = isNamed ? rule.failsAfterwards("bad disk") : rule.fails("bad disk");
    assertThatThrownBy(() -> Loads.load(plan, faulty(fault), rows(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bad disk");
    assertThat(directory.files()).isEmpty();
  }

  @Test
  void anErrorWhileSortedRunsAreOpenedLeavesNone() {
    LoadPlan plan = with(Loads.plan(TABLE, InputFormat.JSONL), 8 << 10, 1 << 20, 0);
    Fault fault =
        Fault.on(Operation.OPEN)
            .files("*-load-*")
            .call(2)
            .runs(
                "a full heap",
                () -> {
                  throw new OutOfMemoryError("Java heap space");
                });
    assertThatThrownBy(() -> Loads.load(plan, faulty(fault), rows(2000)))
        .isInstanceOf(OutOfMemoryError.class);
    leaks.requireNothingOpen();
    assertThat(directory.files()).isEmpty();
  }

  private Directory faulty(Fault fault) {
    return leaks.watch(new FaultyDirectory(directory, 1, fault));
  }

  @Test
  void oneAtATimeLoadsIntoADirectory() throws IOException {
    LoadPlan plan = Loads.plan(TABLE, InputFormat.JSONL);
    try (TableLock lock = TableLock.take(directory)) {
      assertThat(lock).isNotNull();
      assertThatThrownBy(() -> Loads.load(plan, directory, "{\"k\": 1, \"c\": \"a\"}"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot be locked");
      assertThat(directory.files()).containsExactly("siltstone.lock");
    }
    Loads.load(plan, directory, "{\"k\": 1, \"c\": \"a\"}");
  }

  @Test
  void theNextGenerationIsTaken() throws IOException {
    LoadPlan plan = Loads.plan(TABLE, InputFormat.JSONL);
    Loads.load(plan, directory, "{\"k\": 1, \"c\": \"a\"}");
    LoadResult second = Loads.load(plan, directory, "{\"k\": 2, \"c\": \"a\"}");
    assertThat(second.output().dataFile()).endsWith("/oa-2-big-Data.db");
  }

  @Test
  void aDirectoryHoldsOneTable() throws IOException {
    Loads.load(Loads.plan(TABLE, InputFormat.JSONL), directory, "{\"k\": 1, \"c\": \"a\"}");
    TableSchema other = Loads.schema("CREATE TABLE ks.t (k int PRIMARY KEY)");
    assertThatThrownBy(
            () -> Loads.load(Loads.plan(other, InputFormat.JSONL), directory, "{\"k\": 1}"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("a directory contains one table");
  }

  @Test
  void countersAreRefused() {
    TableSchema counters = Loads.schema("CREATE TABLE ks.t (k int PRIMARY KEY, n counter)");
    assertThatThrownBy(
            () -> Loads.load(Loads.plan(counters, InputFormat.JSONL), directory, "{\"k\": 1}"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("has counters, which cannot be loaded");
  }

  @Test
  void rowsExpire() throws IOException {
    LoadPlan plain = Loads.plan(TABLE, InputFormat.JSONL);
    LoadPlan plan =
        new LoadPlan(
            TABLE,
            "rows.txt",
            InputFormat.JSONL,
            new CellTimes(5, 60, Loads.NOW),
            new LoadPlan.Output(
                FormatVersion.NB, Partitioner.BYTE_ORDERED, OutputVerification.STRUCTURE),
            1 << 20,
            plain.maxLineBytes(),
            0);
    Loads.load(plan, directory, "{\"k\": 1, \"c\": \"a\", \"v\": 1, \"l\": [1], \"s\": \"x\"}");
    long last = Loads.NOW + 59;
    assertThat(Loads.export(TABLE, directory, "nb-1-big", InputFormat.JSONL, last))
        .isEqualTo("{\"k\": 1, \"c\": \"a\", \"s\": \"x\", \"v\": 1, \"l\": [1]}\n");
    assertThat(Loads.export(TABLE, directory, "nb-1-big", InputFormat.JSONL, last + 1)).isEmpty();
    LoadPlan tooLate =
        new LoadPlan(
            TABLE,
            "rows.txt",
            InputFormat.JSONL,
            new CellTimes(5, 630_720_000, Loads.NOW),
            new LoadPlan.Output(
                FormatVersion.NB, Partitioner.MURMUR3, OutputVerification.STRUCTURE),
            1 << 20,
            plain.maxLineBytes(),
            0);
    assertThatThrownBy(() -> Loads.load(tooLate, directory, "{\"k\": 1, \"c\": \"a\"}"))
        .hasMessageContaining("version nb holds times to");
  }
}
