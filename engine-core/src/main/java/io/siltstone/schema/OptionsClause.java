package io.siltstone.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Parses the {@code WITH} clause of {@code CREATE TABLE} and {@code ALTER TABLE}: table options,
 * and for {@code CREATE TABLE} the clustering order and the records of dropped columns.
 */
final class OptionsClause {
  private final TokenReader tokens;
  private final List<String> warnings;
  private final boolean lenient;
  private final boolean isWritten;

  /**
   * @param warnings receives what is skipped
   * @param lenient whether unknown options are skipped
   * @param isWritten whether files are written as the text says, so that options which files depend
   *     on are not skipped
   */
  OptionsClause(TokenReader tokens, List<String> warnings, boolean lenient, boolean isWritten) {
    this.tokens = tokens;
    this.warnings = warnings;
    this.lenient = lenient;
    this.isWritten = isWritten;
  }

  /** Parses what follows {@code WITH} in {@code CREATE TABLE}. */
  void readOfCreate(TableSchema.Builder builder, TableOptions.Builder options, TableBody body) {
    read(builder, options, body);
  }

  /** Parses what follows {@code WITH} in {@code ALTER TABLE}. */
  void readOfAlter(TableSchema.Builder builder, TableOptions.Builder options) {
    read(builder, options, null);
  }

  private void read(
      TableSchema.Builder builder, TableOptions.Builder options, @Nullable TableBody body) {
    Token start = tokens.peek();
    OptionReader reader = new OptionReader(options);
    List<String> seen = new ArrayList<>();
    do {
      Token option = tokens.peek();
      if (body != null && tokens.tryWords("clustering", "order", "by")) {
        once(seen, option, "clustering order by");
        body.clusteringOrder();
      } else if (tokens.tryWords("compact", "storage")) {
        throw tokens.error(
            option,
            "COMPACT STORAGE is not supported; let Cassandra do ALTER TABLE DROP COMPACT STORAGE"
                + " and rewrite its files");
      } else if (body != null && tokens.tryWords("dropped", "column", "record")) {
        body.droppedColumn(builder);
      } else {
        option(builder, reader, seen, body != null);
      }
    } while (tokens.tryWords("and"));
    List<String> problems = reader.problems();
    if (!problems.isEmpty()) {
      throw tokens.error(start, String.join("; ", problems));
    }
  }

  private void once(List<String> seen, Token option, String name) {
    if (seen.contains(name)) {
      throw tokens.error(option, "Multiple definitions for property '" + name + "'");
    }
    seen.add(name);
  }

  private void option(
      TableSchema.Builder builder, OptionReader reader, List<String> seen, boolean create) {
    Token option = tokens.peek();
    if (option.kind() != Token.Kind.WORD && option.kind() != Token.Kind.QUOTED_NAME) {
      throw tokens.expected("an option");
    }
    String name = tokens.next().text();
    tokens.symbol('=');
    once(seen, option, name);
    boolean known = OptionReader.KNOWN.contains(name);
    if (!known && !lenient) {
      throw tokens.error(option, OptionReader.unknown(name));
    }
    // This is a map in some of Cassandra's descendants and a name in others; it is not needed here.
    boolean isOtherMemtable = name.equals("memtable") && tokens.peek().isSymbol('{');
    if (!known || (lenient && isOtherMemtable)) {
      OptionValue.skip(tokens);
      warnings.add(tokens.place(option) + "skipped " + tokens.source(option));
    } else if (name.equals("id")) {
      if (!create) {
        throw tokens.error(option, "Cannot alter table id.");
      }
      builder.id(OptionValue.uuid(tokens));
    } else if (tokens.peek().isSymbol('{')) {
      Map<String, String> value = OptionValue.map(tokens);
      take(option, reader, name, each -> each.map(name, value));
    } else {
      String value = OptionValue.constant(tokens);
      take(option, reader, name, each -> each.text(name, value));
    }
  }

  /**
   * Sets an option. In lenient mode an option with an unknown value that is not needed to read
   * files keeps its default.
   */
  private void take(Token option, OptionReader reader, String name, Consumer<OptionReader> value) {
    boolean isNeeded = isWritten && name.equals("compression");
    if (lenient && !isNeeded && OptionReader.DISPENSABLE.contains(name)) {
      OptionReader alone = new OptionReader(TableOptions.builder());
      value.accept(alone);
      if (!alone.problems().isEmpty()) {
        warnings.add(
            tokens.place(option)
                + "skipped "
                + tokens.source(option)
                + ", the default holds: "
                + String.join("; ", alone.problems()));
        return;
      }
    }
    value.accept(reader);
  }
}
