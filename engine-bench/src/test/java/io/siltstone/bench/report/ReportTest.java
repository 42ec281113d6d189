package io.siltstone.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ReportTest {
  private static final String PNG = "data:image/png;base64,";
  @TempDir Path directory;

  private static final String HOSTILE = "<script>alert('&\"')</script> | `*_[x](y)\u0001";

  private static final Chart LINES =
      Chart.lines(HOSTILE)
          .x("seconds " + HOSTILE)
          .y("ops/s")
          .logarithmicY()
          .series(HOSTILE, new double[] {1, 2, 3, 4}, new double[] {10, Double.NaN, 0, 5_000})
          .series("writes", new double[] {1, 2, 3}, new double[] {62_000, 44_000, 51_000})
          .reference("published", 62_000)
          .build();

  private static final Chart BARS =
      Chart.bars("Reads", List.of("4 KiB", "64 KiB"))
          .y("ops/s")
          .series(
              "LZ4",
              new double[] {62_000, 44_000},
              new double[] {60_000, 43_000},
              new double[] {64_000, 46_000})
          .series("Zstd", new double[] {Double.NaN, 40_000})
          .build();

  private static Machine machine() throws Exception {
    return Machine.of(
        Path.of("."), "1.0", List.of("siltstone", "bench", "/a/b/name", "--output=/c/d e", "x y"));
  }

  private static Report report() throws Exception {
    return Report.builder(HOSTILE, machine())
        .text(HOSTILE)
        .section(HOSTILE)
        .add(
            ReportTable.builder(HOSTILE)
                .text("name", HOSTILE)
                .number("ops_per_second", "Operations", "1/s", 1)
                .number("reads", "Reads", "", 0)
                .row(HOSTILE, 1_234_567.89, 9_007_199_254_740_993L)
                .row(null, Double.NaN, null)
                .build())
        .add(LINES)
        .add(BARS)
        .build();
  }

  private static Document parse(String xml) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
  }

  private static List<Element> elements(Document document, String name) {
    NodeList nodes = document.getElementsByTagNameNS("*", name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  @Test
  void htmlIsWellFormedAndNeedsNothingBesideIt() throws Exception {
    String html = report().html();
    Document page = parse(html);
    List<Element> images = elements(page, "img");
    assertThat(images).hasSize(2).allMatch(image -> !image.getAttribute("alt").isEmpty());
    for (Element image : images) {
      String source = image.getAttribute("src");
      assertThat(source).startsWith(PNG);
      byte[] bytes = Base64.getDecoder().decode(source.substring(PNG.length()));
      assertThat(ImageIO.read(new ByteArrayInputStream(bytes))).isNotNull();
    }
    assertThat(elements(page, "script")).isEmpty();
    assertThat(elements(page, "h2").get(0).getTextContent())
        .isEqualTo(HOSTILE.replace('\u0001', '\uFFFD'));
    assertThat(html.replace("src=\"" + PNG, ""))
        .doesNotContain("http", "src=", "href", "url(", "@import");
    assertThat(html).contains("prefers-color-scheme:dark");
    List<String> cells = elements(page, "td").stream().map(Element::getTextContent).toList();
    assertThat(cells).contains("1,234,567.9", "9,007,199,254,740,992", "-");
  }

  @Test
  void machineTellsNoPlaceOfThisMachine() throws Exception {
    assertThat(machine().command()).isEqualTo("siltstone bench name '--output=d e' 'x y'");
    assertThat(machine().cores()).isPositive();
    String user = System.getProperty("user.dir");
    assertThat(report().html()).doesNotContain(user);
    assertThat(report().markdown()).doesNotContain(user);
  }

  @Test
  void everyFormIsWritten() throws Exception {
    report().write(directory);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "report.md",
              "report.html",
              "report.json",
              Report.fileName(HOSTILE) + ".png",
              "reads.png");
    }
    String markdown = Files.readString(directory.resolve("report.md"));
    assertThat(markdown)
        .contains("(reads.png)", "| ---: |", "\\<script\\>")
        .doesNotContain("<script>");
    assertThat(Files.readAllBytes(directory.resolve("reads.png"))).isIn(LINES.png(), BARS.png());
  }

  @Test
  void jsonHasTheRawFigures() throws Exception {
    report().write(directory);
    List<String> numbers = new ArrayList<>();
    List<String> names = new ArrayList<>();
    try (JsonParser json =
        new JsonFactory().createParser(Files.readAllBytes(directory.resolve("report.json")))) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token.isNumeric()) {
          numbers.add(json.getText());
        } else if (token == JsonToken.FIELD_NAME) {
          names.add(json.getText());
        }
      }
    }
    assertThat(numbers).contains("1234567.89", "9007199254740993", "62000.0");
    assertThat(names).contains("machine", "ops_per_second", "sections", "low", "high");
  }

  @Test
  void imageHasTwiceTheSize() throws Exception {
    var image = ImageIO.read(new ByteArrayInputStream(LINES.png()));
    assertThat(image.getWidth()).isEqualTo(2 * ChartImage.WIDTH);
    assertThat(image.getHeight()).isEqualTo(2 * ChartImage.HEIGHT);
  }

  /** Each value and its spread changes the image; values without a place on an axis are omitted. */
  @Test
  void chartShowsEveryValueThatCanBeShown() {
    byte[] bars = bars(1, 2, 3).png();
    assertThat(bars).isEqualTo(bars(1, 2, 3).png());
    assertThat(bars).isNotEqualTo(bars(1.5, 2, 3).png());
    assertThat(bars).isNotEqualTo(bars(1, 2.5, 3).png());
    assertThat(bars).isNotEqualTo(bars(1, 2, 3.5).png());
    assertThat(bars(1, Double.NaN, 3).png()).isNotEqualTo(bars);
    byte[] lines = logarithmic(new double[] {1, 2, 3}, new double[] {4, Double.NaN, 5}).png();
    assertThat(logarithmic(new double[] {1, 2, 3}, new double[] {4, 0, 5}).png()).isEqualTo(lines);
    assertThat(logarithmic(new double[] {0, 1, 2, 3}, new double[] {9, 4, -1, 5}).png())
        .isEqualTo(lines);
    assertThat(logarithmic(new double[] {1, 2, 3}, new double[] {4, 6, 5}).png())
        .isNotEqualTo(lines);
  }

  private static Chart bars(double first, double second, double high) {
    return Chart.bars("bars", List.of("a", "b"))
        .series("s", new double[] {first, second}, new double[] {1, 1}, new double[] {2, high})
        .reference("published", 2)
        .build();
  }

  private static Chart logarithmic(double[] xs, double[] ys) {
    return Chart.lines("lines").logarithmicX().logarithmicY().series("s", xs, ys).build();
  }

  @Test
  void chartWithoutValuesIsDrawn() {
    double[] nothing = {Double.NaN};
    for (Chart.Builder chart :
        List.of(
            Chart.lines("none").logarithmicX().logarithmicY(),
            Chart.lines("none").series("s", new double[0], new double[0]).reference("r", 1),
            Chart.lines("none").series("s", new double[1], nothing).reference("r", 1),
            Chart.lines("one").series("s", new double[1], new double[1]).reference("r", 0),
            Chart.bars("none", List.of("a")),
            Chart.bars("none", List.of("a")).logarithmicY().series("s", new double[1]),
            Chart.bars("none", List.of("a")).series("s", nothing).reference("r", 2))) {
      assertThat(chart.build().png()).isNotEmpty();
    }
  }

  @Test
  void wrongTablesAndChartsAreRefused() {
    ReportTable.Builder table =
        ReportTable.builder("t").text("name", "Name").number("n", "N", "", 0);
    assertThatThrownBy(() -> table.row("a")).hasMessageContaining("1 cells, expected 2");
    assertThatThrownBy(() -> table.row("a", "b")).hasMessageContaining("column n");
    assertThatThrownBy(() -> Chart.bars("b", List.of("x")).series("s", new double[2]))
        .hasMessageContaining("'s'")
        .hasMessageContaining("expected 1");
    assertThatThrownBy(() -> Chart.bars("b", List.of())).hasMessageContaining("categories");
  }

  @Test
  void logarithmicChartsAreDrawnWhateverTheyShow() throws Exception {
    double[] lengths = {4, 8, 16, 256};
    for (double[] values : new double[][] {{1, 10, 100, 1000}, {0, 0.01, Double.NaN, 7e9}}) {
      List<String> names = List.of("a", "b", "c", "d");
      List<Chart> charts =
          List.of(
              Chart.bars("bars", names).logarithmicY().series("s", values).build(),
              Chart.lines("log").logarithmicX().logarithmicY().series("s", lengths, values).build(),
              Chart.lines("log").logarithmicX().series("s", values, lengths).build());
      for (Chart chart : charts) {
        assertThat(ImageIO.read(new ByteArrayInputStream(chart.png()))).isNotNull();
      }
    }
  }

  @Test
  void wholeNumbersHaveNoDigits() {
    ReportTable table =
        ReportTable.builder("t").number("n", "N", "", 2).row(1_234_567).row(1.5).row(7L).build();
    assertThat(table.shown(0, 0)).isEqualTo("1,234,567");
    assertThat(table.shown(1, 0)).isEqualTo("1.50");
    assertThat(table.shown(2, 0)).isEqualTo("7");
  }

  @Test
  void codeIsShownAsItIs() throws Exception {
    Report report = Report.builder("r", machine()).code("a <b>\n  c `d`\n").build();
    assertThat(report.html()).contains("<pre>a &lt;b&gt;\n  c `d`</pre>");
    assertThat(report.markdown()).contains("\n    a <b>\n      c `d`\n");
  }

  @Test
  void linesOfTheSameValuesAreBothSeen() throws Exception {
    double[] xs = {1, 2, 3};
    double[] ys = {10, 20, 30};
    Chart twice = Chart.lines("Twice").y("ops/s").series("a", xs, ys).series("b", xs, ys).build();
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(twice.png()));
    assertThat(pixels(image, 0x1f6fd1)).isGreaterThan(1_000);
    assertThat(pixels(image, 0xcf5c10)).isGreaterThan(1_000);
  }

  private static int pixels(BufferedImage image, int color) {
    int count = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        count += (image.getRGB(x, y) & 0xffffff) == color ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void withoutChartsNoHeadingStandsAlone() throws Exception {
    Report shown =
        Report.builder("Title", machine())
            .section("Said")
            .text("A sentence.")
            .add(LINES)
            .section("Drawn")
            .add(BARS)
            .build()
            .withoutCharts();
    assertThat(shown.markdown())
        .startsWith("# Title\n\n## Said\n\nA sentence.\n\n## Where\n")
        .doesNotContain("Drawn", "![");
  }

  @Test
  void cautionsStandBeforeAllElse() throws Exception {
    Report report =
        Report.builder("Title", machine()).caution("One round.").section("A").text("B.").build();
    assertThat(report.markdown()).startsWith("# Title\n\n**Caution:** One round.\n\n## A\n");
    assertThat(elements(parse(report.html()), "strong").get(0).getTextContent())
        .isEqualTo("Caution:");
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    report.writeJson(json);
    assertThat(json.toString(StandardCharsets.UTF_8)).contains("\"cautions\" : [ \"One round.\" ]");
  }
}
