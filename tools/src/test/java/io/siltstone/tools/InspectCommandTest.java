package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class InspectCommandTest {
  @TempDir private Path temporary;

  private Path database(int flushes, String options) throws IOException {
    Path path = temporary.resolve("db");
    try (Database db =
        Database.open(path, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table = db.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v text)" + options);
      for (int flush = 0; flush < flushes; flush++) {
        for (int key = 0; key < 50; key++) {
          table.write(table.mutation(100 * flush + key).insert().set("v", "v" + key).build());
        }
        if (flush == 1) {
          table.write(table.mutation(1).deletePartition().build());
        }
        table.flush();
      }
    }
    return path;
  }

  @Test
  void printsGroupsAndOverlaps() throws IOException {
    Run run = Run.of("inspect", database(3, "").toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains("ks.t: 3 SSTables")
        .contains("3 at most")
        .contains("up to 1 MiB: 3 SSTables")
        .containsPattern("oa-2-big +\\|#+\\|");
    Run json = Run.of("inspect", temporary.resolve("db").toString(), "--json");
    assertThat(json.out())
        .contains("\"max_sstables_per_token\" : 3")
        .contains("\"overlaps\" : 2")
        .contains("\"strategy\" : \"SizeTieredCompactionStrategy\"");
  }

  @Test
  void writesAPageThatNeedsNothingElse() throws Exception {
    Path page = temporary.resolve("page.html");
    Path db =
        database(
            4,
            " WITH compaction = {'class': 'TimeWindowCompactionStrategy',"
                + " 'compaction_window_unit': 'DAYS', 'compaction_window_size': '1'}");
    Run run = Run.of("inspect", db.toString(), "--html", page.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("4 SSTables");
    String html = Files.readString(page);
    assertThat(html)
        .startsWith("<!DOCTYPE html>")
        .doesNotContain("http:")
        .doesNotContain("https:")
        .doesNotContain("<link")
        .doesNotContain("src=")
        .doesNotContain("@import");
    String svg = html.substring(html.indexOf("<svg"), html.lastIndexOf("</svg>") + 6);
    // Three charts, as XML, with a bar and a dot for each SSTable.
    Document charts = xml("<all>" + svg.replaceAll("(?s)</svg>.*?<svg", "</svg><svg") + "</all>");
    assertThat(charts.getElementsByTagName("svg").getLength()).isEqualTo(3);
    assertThat(charts.getElementsByTagName("rect").getLength()).isEqualTo(4);
    assertThat(charts.getElementsByTagName("circle").getLength()).isEqualTo(4);
    String rows = html.substring(html.indexOf("<tbody>"), html.indexOf("</tbody>") + 8);
    NodeList found = xml(rows).getElementsByTagName("tr");
    assertThat(found.getLength()).isEqualTo(4);
    assertThat(found.item(0).getChildNodes().getLength())
        .isEqualTo(html.split("<th ", -1).length - 1);
  }

  private static Document xml(String text) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(text)));
  }

  @Test
  void showsATableWithoutFiles() throws IOException {
    Path page = temporary.resolve("page.html");
    Run run = Run.of("inspect", database(0, "").toString(), "--html", page.toString());
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(Files.readString(page)).contains("The table has no SSTables.");
    assertThat(Run.of("inspect", temporary.resolve("db").toString()).out())
        .contains("ks.t: 0 SSTables");
  }

  @Test
  void namesADamagedFile() throws IOException {
    Path db = database(2, "");
    Path page = temporary.resolve("page.html");
    Path statistics;
    try (Stream<Path> files = Files.walk(db)) {
      statistics =
          files
              .filter(file -> file.getFileName().toString().equals("oa-1-big-Statistics.db"))
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(statistics);
    bytes[bytes.length / 2] ^= 1;
    Files.write(statistics, bytes);
    Run run = Run.of("inspect", db.toString(), "--html", page.toString());
    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.err()).contains("oa-1-big-Data.db was skipped");
    assertThat(Files.readString(page)).contains("oa-1-big-Data.db was skipped");
  }

  @Test
  void namesADamagedFileThatATablesDirectoryHasNoOtherBeside() throws IOException {
    Path db = database(1, "");
    Path statistics;
    Path schema;
    try (Stream<Path> files = Files.walk(db)) {
      statistics =
          files
              .filter(file -> file.toString().endsWith("-Statistics.db"))
              .findFirst()
              .orElseThrow();
    }
    try (Stream<Path> files = Files.walk(db)) {
      schema = files.filter(file -> file.endsWith("schema.cql")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(statistics);
    bytes[10] ^= 1;
    Files.write(statistics, bytes);
    Path alone = Files.createDirectory(temporary.resolve("alone"));
    try (Stream<Path> files = Files.list(statistics.getParent())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, alone.resolve(file.getFileName()));
      }
    }
    Run run = Run.of("inspect", "--schema", schema.toString(), alone.toString());

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out() + run.err()).contains("oa-1-big-Data.db was skipped");
  }

  @Test
  void writesOverNoFileButAPage() throws IOException {
    Path db = database(1, "");
    List<Path> all;
    try (Stream<Path> files = Files.walk(db)) {
      all = files.filter(Files::isRegularFile).toList();
    }
    assertThat(all).anyMatch(file -> file.toString().endsWith("-TOC.txt"));
    for (Path file : all) {
      byte[] before = Files.readAllBytes(file);
      Run run = Run.of("inspect", db.toString(), "--html", file.toString());
      assertThat(run.code()).as(file.toString()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).contains("--html " + file);
      assertThat(Files.readAllBytes(file)).as(file.toString()).isEqualTo(before);
    }
    for (String name :
        List.of(
            "oa-9-big-TOC.txt",
            "oa-9-big-Data.db",
            "oa_txn_compaction_" + new UUID(1, 2) + ".log",
            "schema.cql",
            "lock",
            "siltstone.lock",
            "siltstone.properties",
            "page")) {
      Path missing = temporary.resolve(name);
      Run run = Run.of("inspect", db.toString(), "--html", missing.toString());
      assertThat(run.code()).as(name).isEqualTo(ExitCode.USAGE);
      assertThat(run.err())
          .isEqualTo("siltstone: --html " + missing + ": the name must end in .html\n");
      assertThat(missing).doesNotExist();
    }
    Path page = Files.writeString(temporary.resolve("old.html"), "old");
    assertThat(Run.of("inspect", db.toString(), "--html", page.toString()).code())
        .isEqualTo(ExitCode.OK);
    assertThat(Files.readString(page)).contains("</html>");
    try (Stream<Path> files = Files.list(temporary)) {
      assertThat(files.map(Path::toString)).noneMatch(name -> name.endsWith(".tmp"));
    }
  }

  @Test
  void aPageThatIsALinkStaysOneAndWhatLiesBesideItStays() throws IOException {
    Path db = database(1, "");
    Path page = Files.writeString(temporary.resolve("page.html"), "old");
    Path link = Files.createSymbolicLink(temporary.resolve("link.html"), page);
    assertThat(Run.of("inspect", db.toString(), "--html", link.toString()).code())
        .isEqualTo(ExitCode.OK);
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(page)).contains("</html>");

    Path beside = Files.writeString(temporary.resolve("page.html.tmp"), "somebody's");
    Run run = Run.of("inspect", db.toString(), "--html", page.toString());
    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.err()).contains(beside.toString());
    assertThat(Files.readString(beside)).isEqualTo("somebody's");
    assertThat(Files.readString(page)).contains("</html>");

    assertThat(Run.of("inspect", db.toString(), "--html", temporary.toString()).code())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aFullDiskIsToldByTheNameOfThePage() throws IOException {
    Path full = Path.of("/dev/full");
    assumeThat(full).exists();
    Run run = Run.of("inspect", database(1, "").toString(), "--html", full.toString());
    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.err()).startsWith("siltstone: " + full + " cannot be written: ").hasLineCount(1);
  }

  @Test
  void refusesAFileThatCannotBeWritten() throws IOException {
    Run run =
        Run.of(
            "inspect",
            database(1, "").toString(),
            "--html",
            temporary.resolve("no/such/page.html").toString());
    assertThat(run.code()).isEqualTo(ExitCode.IO);
  }
}
