package io.siltstone.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** Small tables that Cassandra 5.0.9 wrote, with the output of its tools for them. */
public enum Fixture {
  /** Rows without columns, not compressed. */
  KEYSONLY_UNCOMPRESSED("nb-1-big"),
  /** A hundred columns, few of them in each row. */
  MANY("nb-1-big"),
  /** All types, statics and deletions. */
  TYPES_COMPACTED("nb-3-big");

  private final String descriptor;

  Fixture(String descriptor) {
    this.descriptor = descriptor;
  }

  private Path directory() {
    String name = name().toLowerCase(Locale.ROOT);
    try {
      return Path.of(
          Objects.requireNonNull(Fixture.class.getResource("/fixtures/nb/" + name)).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the data file, which must not be changed. */
  public Path data() {
    return directory().resolve(descriptor + "-Data.db");
  }

  /** Returns what {@code sstabledump -t} prints. */
  public String json() {
    return text(".json");
  }

  /** Returns what {@code sstablemetadata -s} prints. */
  public String metadata() {
    return text(".metadata.txt");
  }

  private String text(String suffix) {
    try {
      return Files.readString(directory().resolve(descriptor + suffix));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies the table, so that it can be damaged; returns its data file. */
  public Path copyTo(Path target) throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      for (Path from : files.toList()) {
        Files.copy(from, target.resolve(from.getFileName().toString()));
      }
    }
    return target.resolve(descriptor + "-Data.db");
  }
}
