package io.siltstone.tools.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A parsed page of the documentation.
 *
 * @param path of the file
 * @param blocks of code, in order
 * @param headings in order
 * @param links to elsewhere, as they are written
 * @param rows of tables whose first cell is a name
 */
record Page(
    Path path, List<Block> blocks, List<String> headings, List<Link> links, List<NamedRow> rows) {
  /** The project's directory, because tests run in the directory of their module. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern FENCE = Pattern.compile("\\s*```(\\w*)\\s*");
  private static final Pattern HEADING = Pattern.compile("#+ +(.*?)\\s*");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern NAMED_ROW = Pattern.compile("\\| `([^`]+)` \\|(.*)\\|");

  /**
   * A block of code.
   *
   * @param language after the fence, empty if there is none
   * @param line where it begins
   * @param follows whether there are only empty lines between it and the block before
   */
  record Block(String language, int line, boolean follows, List<String> lines) {}

  /** A link, and the line that contains it. */
  record Link(int line, String target) {}

  /** A row of a table: its name, the heading above it, and the other cells. */
  record NamedRow(String heading, String name, List<String> cells) {}

  /** Returns README.md, all pages of docs, and the example's. */
  static List<Page> all() {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      List<Path> paths = new ArrayList<>();
      paths.add(ROOT.resolve("README.md"));
      paths.add(ROOT.resolve("example/README.md"));
      docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(paths::add);
      return paths.stream().map(Page::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Page read(Path path) {
    List<String> lines;
    try {
      lines = Files.readAllLines(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Block> blocks = new ArrayList<>();
    List<String> headings = new ArrayList<>();
    List<Link> links = new ArrayList<>();
    List<NamedRow> rows = new ArrayList<>();
    boolean textBetween = true;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      Matcher fence = FENCE.matcher(line);
      if (fence.matches()) {
        List<String> inside = new ArrayList<>();
        int start = i + 1;
        for (i++; i < lines.size() && !lines.get(i).strip().equals("```"); i++) {
          inside.add(lines.get(i));
        }
        blocks.add(new Block(fence.group(1), start, !textBetween, List.copyOf(inside)));
        textBetween = false;
        continue;
      }
      textBetween |= !line.isBlank();
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        headings.add(heading.group(1));
      }
      Matcher link = LINK.matcher(line);
      while (link.find()) {
        links.add(new Link(i + 1, link.group(1)));
      }
      Matcher row = NAMED_ROW.matcher(line);
      if (row.matches()) {
        List<String> cells = new ArrayList<>();
        for (String cell : row.group(2).split("(?<!\\\\)\\|", -1)) {
          cells.add(cell.strip().replace("\\|", "|"));
        }
        rows.add(
            new NamedRow(
                headings.isEmpty() ? "" : headings.get(headings.size() - 1),
                row.group(1),
                List.copyOf(cells)));
      }
    }
    return new Page(path, blocks, headings, links, rows);
  }

  /** Returns whether a heading has this anchor. */
  boolean hasAnchor(String anchor) {
    return headings.stream().anyMatch(heading -> anchorOf(heading).equals(anchor));
  }

  /** Returns the anchor that Git hosting services make of a heading. */
  private static String anchorOf(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  /** Returns the path within the project. */
  String name() {
    return ROOT.relativize(path).toString().replace('\\', '/');
  }

  @Override
  public String toString() {
    return name();
  }
}
