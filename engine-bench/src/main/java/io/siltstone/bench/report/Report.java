package io.siltstone.bench.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A report of a measurement: the machine, and sections of paragraphs, tables and charts. Immutable;
 * made by {@link #builder}. All text is plain, and escaped in the output formats.
 */
public final class Report {
  private final String title;
  private final Machine machine;
  private final List<String> cautions;
  private final List<Section> sections;

  private Report(String title, Machine machine, List<String> cautions, List<Section> sections) {
    this.title = title;
    this.machine = machine;
    this.cautions = List.copyOf(cautions);
    this.sections = List.copyOf(sections);
  }

  /** Begins a report. */
  public static Builder builder(String title, Machine machine) {
    return new Builder(title, machine);
  }

  /** Returns the title. */
  public String title() {
    return title;
  }

  /** Returns the machine and command line of the measurement. */
  public Machine machine() {
    return machine;
  }

  /** Returns sentences that say why the figures are less reliable than they seem; shown first. */
  public List<String> cautions() {
    return cautions;
  }

  /** Returns the sections. */
  public List<Section> sections() {
    return sections;
  }

  /**
   * Returns the report for an output without images: without charts, and without sections that have
   * only charts.
   */
  public Report withoutCharts() {
    List<Section> shown = new ArrayList<>();
    for (Section section : sections) {
      List<Block> blocks =
          section.blocks().stream().filter(block -> !(block instanceof Chart)).toList();
      if (!blocks.isEmpty()) {
        shown.add(new Section(section.title(), blocks));
      }
    }
    return new Report(title, machine, cautions, shown);
  }

  /**
   * Writes all formats: {@code report.md} with a file {@code *.png} for each chart, {@code
   * report.html}, {@code report.json}. Existing files of these names are replaced.
   *
   * @param directory created if missing
   */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    ReportMarkdown markdown = new ReportMarkdown(this);
    Files.writeString(directory.resolve("report.md"), markdown.text());
    for (Map.Entry<String, Chart> chart : markdown.charts().entrySet()) {
      Files.write(directory.resolve(chart.getKey()), chart.getValue().png());
    }
    Files.writeString(directory.resolve("report.html"), html());
    try (OutputStream json = Files.newOutputStream(directory.resolve("report.json"))) {
      writeJson(json);
    }
  }

  /** Returns one self-contained page, light or dark as the reader prefers. */
  public String html() {
    return ReportHtml.of(this);
  }

  /** Returns the Markdown text, which refers to the charts of {@link #write}. */
  public String markdown() {
    return new ReportMarkdown(this).text();
  }

  /** Writes one document with the raw figures, in UTF-8; the stream stays open. */
  public void writeJson(OutputStream out) throws IOException {
    ReportJson.write(this, out);
  }

  /** Returns a title in lower case, as part of a file's name. */
  static String fileName(String title) {
    String name = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String trimmed = name.replaceAll("^-|-$", "");
    return trimmed.isEmpty() ? "chart" : trimmed.substring(0, Math.min(60, trimmed.length()));
  }

  /** Collects sections. Not safe for threads. */
  public static final class Builder {
    private final String title;
    private final Machine machine;
    private final List<String> cautions = new ArrayList<>();
    private final List<String> titles = new ArrayList<>();
    private final List<List<Block>> blocks = new ArrayList<>();

    private Builder(String title, Machine machine) {
      this.title = title;
      this.machine = machine;
    }

    /** Adds a sentence that says why the figures are less reliable than they seem. */
    public Builder caution(String sentence) {
      cautions.add(sentence);
      return this;
    }

    /** Begins a section; what is added next belongs to it. */
    public Builder section(String sectionTitle) {
      titles.add(sectionTitle);
      blocks.add(new ArrayList<>());
      return this;
    }

    /** Adds a paragraph. */
    public Builder text(String paragraph) {
      return add(new Paragraph(paragraph));
    }

    /** Adds lines of code. */
    public Builder code(String text) {
      return add(new CodeBlock(text));
    }

    /** Adds a table or a chart. */
    public Builder add(Block block) {
      if (blocks.isEmpty()) {
        // Blocks before the first title.
        section("");
      }
      blocks.get(blocks.size() - 1).add(block);
      return this;
    }

    private List<Section> sections() {
      List<Section> sections = new ArrayList<>();
      for (int i = 0; i < titles.size(); i++) {
        sections.add(new Section(titles.get(i), blocks.get(i)));
      }
      return List.copyOf(sections);
    }

    /** Returns the report. */
    public Report build() {
      return new Report(title, machine, cautions, sections());
    }
  }
}
