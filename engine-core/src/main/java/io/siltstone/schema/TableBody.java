package io.siltstone.schema;

import io.siltstone.type.CqlName;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The columns of a {@code CREATE TABLE} statement that were parsed so far. */
final class TableBody {
  private final TokenReader tokens;
  private final TypeReader types;
  private final List<String> warnings;
  private final String keyspace;
  private final Map<String, Column> columns = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();
  private final List<Token> keys = new ArrayList<>();
  private final List<Token> partitionKey = new ArrayList<>();
  private final List<Token> clustering = new ArrayList<>();
  private final Map<String, Boolean> descending = new LinkedHashMap<>();
  private final Map<String, Token> orderPlaces = new LinkedHashMap<>();

  TableBody(TokenReader tokens, TypeReader types, List<String> warnings, String keyspace) {
    this.tokens = tokens;
    this.types = types;
    this.warnings = warnings;
    this.keyspace = keyspace;
  }

  /** Parses a column or the primary key. */
  void columnOrKey() {
    if (tokens.peek().isWord("primary") && tokens.peekSecond().isWord("key")) {
      primaryKey();
      return;
    }
    Token name = tokens.peek();
    column();
    Token key = tokens.peek();
    if (tokens.tryWords("primary", "key")) {
      oneKey(key);
      partitionKey.add(name);
    }
  }

  /** Returns a column's name, type, whether it is static, and its mask, which is ignored. */
  Column column() {
    Token start = tokens.peek();
    String name = tokens.name("a column's name");
    CqlType type = types.read(keyspace);
    boolean isStatic = tokens.tryWords("static");
    Token mask = tokens.peek();
    if (tokens.tryWords("masked", "with")) {
      skipMask();
      warnings.add(tokens.place(mask) + "skipped the mask of column " + CqlName.quoted(name));
    }
    Column column =
        new Column(
            name, type, isStatic ? ColumnKind.STATIC : ColumnKind.REGULAR, Column.NO_POSITION);
    if (columns.putIfAbsent(name, column) != null) {
      throw tokens.error(start, "Multiple definition of identifier " + CqlName.quoted(name));
    }
    names.add(name);
    return column;
  }

  private void skipMask() {
    tokens.name("a function or DEFAULT");
    if (tokens.trySymbol('.')) {
      tokens.name("a function");
    }
    if (tokens.peek().isSymbol('(')) {
      OptionValue.skip(tokens);
    }
  }

  private void oneKey(Token place) {
    keys.add(place);
    if (keys.size() > 1) {
      throw tokens.error(place, "Multiple PRIMARY KEYs specified (exactly one required)");
    }
  }

  private void primaryKey() {
    oneKey(tokens.peek());
    tokens.words("primary", "key");
    tokens.symbol('(');
    if (tokens.trySymbol('(')) {
      do {
        partitionKey.add(keyColumn());
      } while (tokens.trySymbol(','));
      tokens.symbol(')');
    } else {
      partitionKey.add(keyColumn());
    }
    while (tokens.trySymbol(',')) {
      clustering.add(keyColumn());
    }
    tokens.symbol(')');
  }

  private Token keyColumn() {
    Token token = tokens.peek();
    tokens.name("a column");
    return token;
  }

  /** Parses the part after {@code CLUSTERING ORDER BY}. */
  void clusteringOrder() {
    tokens.symbol('(');
    do {
      Token place = keyColumn();
      boolean desc = tokens.tryWords("desc");
      if (!desc) {
        tokens.words("asc");
      }
      if (descending.putIfAbsent(place.text(), desc) != null) {
        throw tokens.error(
            place, CqlName.quoted(place.text()) + " is twice in CLUSTERING ORDER BY");
      }
      orderPlaces.put(place.text(), place);
    } while (tokens.trySymbol(','));
    tokens.symbol(')');
  }

  /** Parses the part after {@code DROPPED COLUMN RECORD}. */
  void droppedColumn(TableSchema.Builder builder) {
    Token start = tokens.peek();
    String name = tokens.name("a column's name");
    CqlType type = types.read(keyspace);
    ColumnKind kind = tokens.tryWords("static") ? ColumnKind.STATIC : ColumnKind.REGULAR;
    tokens.words("using", "timestamp");
    long micros = OptionValue.integer(tokens, tokens.peek());
    Column column = new Column(name, type, kind, Column.NO_POSITION);
    tokens.at(start, () -> builder.drop(new DroppedColumn(column, micros)));
  }

  /** Adds all columns to a table. */
  void addTo(TableSchema.Builder builder, Token table) {
    if (keys.isEmpty()) {
      throw tokens.error(table, "No PRIMARY KEY specified (exactly one required)");
    }
    checkOrder();
    for (Token place : partitionKey) {
      Column column = takeKey(place);
      tokens.at(place, () -> builder.partitionKey(column.name(), column.type()));
    }
    for (Token place : clustering) {
      Column column = takeKey(place);
      boolean desc = descending.getOrDefault(column.name(), false);
      CqlType type =
          desc && !column.type().isMultiCell() ? CqlTypes.reversed(column.type()) : column.type();
      tokens.at(place, () -> builder.clustering(column.name(), type));
    }
    addOthersTo(builder);
  }

  private Column takeKey(Token place) {
    Column column = columns.remove(place.text());
    if (column == null) {
      throw tokens.error(
          place,
          (names.contains(place.text())
                  ? "Duplicate column '"
                  : "Unknown column referenced in PRIMARY KEY: '")
              + place.text()
              + (names.contains(place.text()) ? "' in PRIMARY KEY" : "'"));
    }
    if (column.kind() == ColumnKind.STATIC) {
      throw tokens.error(
          place, "Static column '" + column.name() + "' cannot be part of the PRIMARY KEY");
    }
    return column;
  }

  private void checkOrder() {
    int position = 0;
    for (Map.Entry<String, Token> ordered : orderPlaces.entrySet()) {
      boolean known =
          clustering.stream().anyMatch(column -> column.text().equals(ordered.getKey()));
      if (!known) {
        throw tokens.error(
            ordered.getValue(),
            "Only clustering key columns can be defined in CLUSTERING ORDER directive: "
                + ordered.getKey()
                + " is not a clustering column");
      }
      String here = clustering.get(position).text();
      if (!here.equals(ordered.getKey())) {
        throw tokens.error(
            ordered.getValue(),
            descending.containsKey(here)
                ? "The order of columns in the CLUSTERING ORDER directive must match that of the"
                    + " clustering columns ("
                    + here
                    + " must appear before "
                    + ordered.getKey()
                    + ")"
                : "Missing CLUSTERING ORDER for column " + here);
      }
      position++;
    }
  }

  /** Adds the columns outside the primary key to a table. */
  void addOthersTo(TableSchema.Builder builder) {
    for (Column column : columns.values()) {
      if (column.kind() == ColumnKind.STATIC) {
        builder.staticColumn(column.name(), column.type());
      } else {
        builder.regular(column.name(), column.type());
      }
    }
  }
}
