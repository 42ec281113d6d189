package io.siltstone.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
            Table.builder(HOSTILE)
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
    assertThat(elements(page, "svg")).hasSize(2);
    assertThat(elements(page, "script")).isEmpty();
    assertThat(elements(page, "h2").get(0).getTextContent())
        .isEqualTo(HOSTILE.replace('\u0001', '\uFFFD'));
    assertThat(html.replace("http://www.w3.org/2000/svg", ""))
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
              Report.fileName(HOSTILE) + ".svg",
              "reads.svg");
    }
    String markdown = Files.readString(directory.resolve("report.md"));
    assertThat(markdown)
        .contains("(reads.svg)", "| ---: |", "\\<script\\>")
        .doesNotContain("<script>");
    Document svg = parse(Files.readString(directory.resolve("reads.svg")));
    assertThat(elements(svg, "style")).hasSize(1);
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
  void chartShowsEveryValueThatCanBeShown() throws Exception {
    Document bars = parse(BARS.svg());
    // The ground, two swatches, and a bar for each value but the one that is none.
    assertThat(elements(bars, "rect")).hasSize(1 + 2 + 3);
    Document lines = parse(LINES.svg());
    // What is not above 0 has no place on a logarithmic axis.
    assertThat(elements(lines, "circle")).hasSize(2 + 3);
    assertThat(elements(lines, "path")).hasSize(1);
    assertThat(BARS.svg()).isEqualTo(BARS.svg());
  }

  @Test
  void imageHasTwiceTheSize() throws Exception {
    var image = ImageIO.read(new ByteArrayInputStream(LINES.png()));
    assertThat(image.getWidth()).isEqualTo(2 * ChartPainter.WIDTH);
    assertThat(image.getHeight()).isEqualTo(2 * ChartPainter.HEIGHT);
  }

  @Test
  void chartWithoutValuesIsDrawn() throws Exception {
    for (Chart.Builder chart :
        List.of(
            Chart.lines("none").logarithmicX().logarithmicY(), Chart.bars("none", List.of("a")))) {
      assertThat(elements(parse(chart.build().svg()), "line")).isNotEmpty();
    }
  }

  @Test
  void wrongTablesAndChartsAreRefused() {
    Table.Builder table = Table.builder("t").text("name", "Name").number("n", "N", "", 0);
    assertThatThrownBy(() -> table.row("a")).hasMessageContaining("1 cells, expected 2");
    assertThatThrownBy(() -> table.row("a", "b")).hasMessageContaining("column n");
    assertThatThrownBy(() -> Chart.bars("b", List.of("x")).series("s", new double[2]))
        .hasMessageContaining("'s'")
        .hasMessageContaining("expected 1");
    assertThatThrownBy(() -> Chart.bars("b", List.of())).hasMessageContaining("categories");
  }

  @Test
  void scalesCoverWhatTheyShow() {
    for (double most : new double[] {1e-6, 0.3, 1, 7, 99, 62_000, 3e9}) {
      Scale linear = Scale.linear(0, most);
      assertThat(linear.share(0)).isZero();
      assertThat(linear.share(most)).isBetween(0.5, 1 + 1e-9);
      assertThat(linear.marks().size()).isBetween(3, 9);
      Scale logarithmic = Scale.logarithmic(most / 50, most);
      assertThat(logarithmic.share(most / 50)).isBetween(-1e-9, 0.4);
      assertThat(logarithmic.share(most)).isBetween(0.6, 1 + 1e-9);
      assertThat(logarithmic.marks()).hasSizeGreaterThan(1).isSorted();
    }
    assertThat(Scale.text(62_000)).isEqualTo("62k");
    assertThat(Scale.text(4_096)).isEqualTo("4096");
    assertThat(Scale.text(0.25)).isEqualTo("0.25");
    assertThat(Scale.text(1_234_567)).isEqualTo("1.23M");
    assertThat(Scale.text(0.1 + 0.2)).isEqualTo("0.3");
  }
}
