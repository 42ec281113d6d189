package io.siltstone.schema;

import io.siltstone.type.CqlName;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the statements of one CQL text. Used once, by one thread. */
final class StatementParser {
  private static final int EXCERPT_LENGTH = 60;

  /** The first words of other CQL statements, of this and other versions. */
  private static final Set<String> OTHER_STATEMENTS =
      Set.of(
          "add",
          "apply",
          "begin",
          "comment",
          "delete",
          "desc",
          "describe",
          "grant",
          "insert",
          "list",
          "revoke",
          "security",
          "select",
          "truncate",
          "update");

  /**
   * The second words of {@code CREATE}, {@code ALTER} and {@code DROP} other than TABLE or TYPE.
   */
  private static final Set<String> OTHER_DEFINITIONS =
      Set.of(
          "aggregate",
          "custom",
          "function",
          "generated",
          "identity",
          "index",
          "keyspace",
          "materialized",
          "or",
          "role",
          "schema",
          "search",
          "trigger",
          "type",
          "user");

  private final TokenReader tokens;
  private final TypeReader types;
  private final boolean lenient;
  private final Map<String, TableSchema> tables = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();
  private final OptionsClause clause;
  // The tables whose statement says IF NOT EXISTS.
  private final Set<String> ifMissing = new HashSet<>();
  private @Nullable String used;
  private @Nullable Long dropMicros;
  // The only table that may be altered, if no other may be created or dropped.
  private @Nullable String altered;
  private boolean isAnyAltered;

  /** The name of a table or type, with its keyspace. */
  private record FullName(String keyspace, String name, Token start) {
    String key() {
      return keyspace + '.' + name;
    }
  }

  /**
   * @param lenient whether unknown options are skipped
   * @param isWritten whether files are written as the text says, so that options which files depend
   *     on are not skipped
   */
  StatementParser(String text, boolean lenient, boolean isWritten) {
    this.tokens = new TokenReader(text);
    this.types = new TypeReader(tokens);
    this.lenient = lenient;
    this.clause = new OptionsClause(tokens, warnings, lenient, isWritten);
  }

  /**
   * Reads statements that alter one table.
   *
   * @param nowMicros time of drops that have no timestamp
   */
  TableSchema alter(TableSchema table, long nowMicros) {
    FullName name = new FullName(table.keyspace(), table.name(), tokens.peek());
    altered = name.key();
    used = table.keyspace();
    dropMicros = nowMicros;
    tables.put(name.key(), table);
    for (UserType type : table.userTypes()) {
      types.define(type, type.fields().stream().map(UserType.Field::type).toList());
    }
    parse();
    if (!isAnyAltered) {
      throw tokens.expected("ALTER TABLE " + altered);
    }
    return Objects.requireNonNull(tables.get(name.key()));
  }

  private void requireNoneAltered(Token start) {
    if (altered != null) {
      throw tokens.error(start, "only ALTER TABLE " + altered + " is allowed here");
    }
  }

  Schema parse() {
    while (tokens.peek().kind() != Token.Kind.END) {
      if (!tokens.trySymbol(';')) {
        statement();
        if (tokens.peek().kind() != Token.Kind.END && !tokens.trySymbol(';')) {
          throw tokens.expected("';'");
        }
      }
    }
    List<TableSchema> wanted = new ArrayList<>();
    tables.forEach(
        (key, table) -> {
          if (ifMissing.contains(key)) {
            wanted.add(table);
          }
        });
    return new Schema(new ArrayList<>(tables.values()), wanted, types.userTypes(), warnings);
  }

  private void statement() {
    Token start = tokens.peek();
    if (tokens.tryWords("use")) {
      used = tokens.name("a keyspace");
    } else if (tokens.tryWords("create", "type")) {
      createType();
    } else if (tokens.tryWords("create", "table") || tokens.tryWords("create", "columnfamily")) {
      requireNoneAltered(start);
      createTable();
    } else if (tokens.tryWords("alter", "table") || tokens.tryWords("alter", "columnfamily")) {
      alterTable();
    } else if (tokens.tryWords("drop", "table") || tokens.tryWords("drop", "columnfamily")) {
      requireNoneAltered(start);
      dropTable();
    } else if (tokens.tryWords("alter", "type")) {
      throw tokens.error(start, "ALTER TYPE cannot be read; give the type as it is now");
    } else {
      requireNoneAltered(start);
      requireOther(start);
      skip(start);
    }
  }

  /**
   * Checks that a statement is a known one that does not concern tables, rather than one with a
   * mistake in it.
   */
  private void requireOther(Token start) {
    Token second = tokens.peekSecond();
    if (start.isWord("create") || start.isWord("alter") || start.isWord("drop")) {
      if (second.kind() != Token.Kind.WORD || !OTHER_DEFINITIONS.contains(second.text())) {
        throw tokens.error(
            second,
            "expected TABLE, TYPE, INDEX or the like after "
                + start.text().toUpperCase(Locale.ROOT)
                + ", found "
                + second.shown());
      }
    } else if (start.kind() != Token.Kind.WORD || !OTHER_STATEMENTS.contains(start.text())) {
      throw tokens.expected("a statement of CQL, such as CREATE TABLE");
    }
  }

  private void skip(Token start) {
    requireNoneAltered(start);
    boolean keyspace =
        start.isWord("create")
            && (tokens.peekSecond().isWord("keyspace") || tokens.peekSecond().isWord("schema"));
    skipToItsEnd();
    // A table's files do not depend on the replication of the keyspace.
    if (!keyspace) {
      String source = tokens.source(start).replaceAll("\\s+", " ");
      warnings.add(
          tokens.place(start)
              + "skipped "
              + (source.length() > EXCERPT_LENGTH
                  ? source.substring(0, EXCERPT_LENGTH) + "..."
                  : source));
    }
  }

  private void skipToItsEnd() {
    while (tokens.peek().kind() != Token.Kind.END && !tokens.peek().isSymbol(';')) {
      tokens.next();
      boolean isNext =
          tokens.peek().isWord("create")
              && (tokens.peekSecond().isWord("table")
                  || tokens.peekSecond().isWord("columnfamily")
                  || tokens.peekSecond().isWord("type"));
      if (isNext) {
        // This must not be skipped with it.
        throw tokens.expected("';'");
      }
    }
  }

  private FullName fullName(String what) {
    Token start = tokens.peek();
    String first = tokens.name(what);
    if (tokens.trySymbol('.')) {
      return new FullName(first, tokens.name(what), start);
    }
    if (used == null) {
      throw tokens.error(
          start,
          "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace."
              + first);
    }
    return new FullName(used, first, start);
  }

  private void createType() {
    boolean ifNotExists = tokens.tryWords("if", "not", "exists");
    FullName name = fullName("a type's name");
    tokens.at(
        name.start,
        () -> {
          String problem = Names.wordProblem("keyspace", name.keyspace, Names.MAX_KEYSPACE_LENGTH);
          if (problem != null) {
            throw new SchemaException(problem);
          }
          if (TypeText.isTaken(name.name)) {
            throw new SchemaException(
                "a user type cannot have the name " + name.name + " of a type of CQL");
          }
        });
    tokens.symbol('(');
    List<UserType.Field> fields = new ArrayList<>();
    do {
      if (!fields.isEmpty() && isPlaceEmpty()) {
        continue;
      }
      Token field = tokens.peek();
      String fieldName = tokens.name("a field's name");
      CqlType type = types.read(name.keyspace);
      if (type.isCounter()) {
        throw tokens.error(field, "A user type cannot contain counters");
      }
      if (type.isMultiCell() && type.kind() == io.siltstone.type.TypeKind.USER) {
        throw tokens.error(field, "A user type cannot contain non-frozen UDTs");
      }
      if (fields.stream().anyMatch(other -> other.name().equals(fieldName))) {
        throw tokens.error(
            field, "Duplicate field name '" + fieldName + "' in type '" + name.name + "'");
      }
      fields.add(new UserType.Field(fieldName, type));
    } while (tokens.trySymbol(','));
    tokens.symbol(')');
    if (!types.isDefined(name.keyspace, name.name)) {
      tokens.at(
          name.start,
          () ->
              types.define(
                  CqlTypes.userType(name.keyspace, name.name, fields),
                  fields.stream().map(UserType.Field::type).toList()));
    } else if (!ifNotExists) {
      throw tokens.error(name.start, "A user type with name '" + name.name + "' already exists");
    }
  }

  private boolean isPlaceEmpty() {
    return tokens.peek().isSymbol(',') || tokens.peek().isSymbol(')');
  }

  private void createTable() {
    boolean ifNotExists = tokens.tryWords("if", "not", "exists");
    FullName name = fullName("a table's name");
    TableBody body = new TableBody(tokens, types, warnings, name.keyspace);
    tokens.symbol('(');
    body.columnOrKey();
    while (tokens.trySymbol(',')) {
      // Cassandra accepts a trailing comma.
      if (!isPlaceEmpty()) {
        body.columnOrKey();
      }
    }
    tokens.symbol(')');
    TableSchema.Builder builder = TableSchema.builder(name.keyspace, name.name);
    types.userTypes(name.keyspace).forEach(builder::userType);
    TableOptions.Builder options = TableOptions.builder();
    if (tokens.tryWords("with")) {
      clause.readOfCreate(builder, options, body);
    }
    body.addTo(builder, name.start);
    tokens.at(name.start, () -> builder.options(options.build()));
    TableSchema table = build(builder, name.start);
    if (!tables.containsKey(name.key())) {
      tables.put(name.key(), table);
      if (ifNotExists) {
        ifMissing.add(name.key());
      }
    } else if (!ifNotExists) {
      throw tokens.error(name.start, "Table '" + name.key() + "' already exists");
    }
  }

  private TableSchema build(TableSchema.Builder builder, Token place) {
    List<TableSchema> built = new ArrayList<>(1);
    tokens.at(place, () -> built.add(builder.build()));
    return built.get(0);
  }

  private void alterTable() {
    boolean ifExists = tokens.tryWords("if", "exists");
    FullName name = fullName("a table's name");
    TableSchema table = tables.get(name.key());
    if (table == null) {
      if (!ifExists) {
        throw tokens.error(name.start, "Table '" + name.key() + "' doesn't exist");
      }
      skip(name.start);
      return;
    }
    TableSchema.Builder builder = table.toBuilder();
    types.userTypes(name.keyspace).forEach(builder::userType);
    if (tokens.tryWords("add")) {
      addColumns(builder, table);
    } else if (tokens.tryWords("drop")) {
      dropColumns(builder);
    } else if (tokens.tryWords("with")) {
      TableOptions.Builder options = table.options().toBuilder();
      clause.readOfAlter(builder, options);
      tokens.at(name.start, () -> builder.options(options.build()));
    } else {
      throw tokens.expected("ADD, DROP or WITH");
    }
    tables.put(name.key(), build(builder, name.start));
    isAnyAltered = true;
  }

  private void addColumns(TableSchema.Builder builder, TableSchema table) {
    boolean ifNotExists = tokens.tryWords("if", "not", "exists");
    boolean several = tokens.trySymbol('(');
    do {
      Token start = tokens.peek();
      TableBody body = new TableBody(tokens, types, warnings, table.keyspace());
      Column column = body.column();
      if (!builder.hasColumn(column.name())) {
        table.droppedColumn(column.name()).ifPresent(before -> checkAgain(start, column, before));
        body.addOthersTo(builder);
      } else if (!ifNotExists) {
        throw tokens.error(start, "Column with name '" + column.name() + "' already exists");
      }
    } while (tokens.trySymbol(','));
    if (several) {
      tokens.symbol(')');
    }
  }

  /**
   * Checks the type of a column that is added again: values that are later than the drop may exist,
   * and become values of the new column. Older versions of Cassandra were less strict, so that such
   * tables exist.
   */
  private void checkAgain(Token start, Column column, DroppedColumn dropped) {
    CqlType before = dropped.column().type();
    if (!lenient && !column.type().canReadCellsOf(before)) {
      throw tokens.error(
          start,
          "Cannot re-add previously dropped column "
              + CqlName.quoted(column.name())
              + " with type "
              + column.type().cqlName()
              + ", incompatible with previous type "
              + before.cqlName()
              + CqlTypes.describeDifference(column.type(), before));
    }
  }

  private void dropColumns(TableSchema.Builder builder) {
    boolean ifExists = tokens.tryWords("if", "exists");
    boolean several = tokens.trySymbol('(');
    List<Token> places = new ArrayList<>();
    List<String> names = new ArrayList<>();
    do {
      places.add(tokens.peek());
      names.add(tokens.name("a column"));
    } while (tokens.trySymbol(','));
    if (several) {
      tokens.symbol(')');
    }
    Token start = tokens.peek();
    long micros;
    if (tokens.tryWords("using", "timestamp")) {
      micros = OptionValue.integer(tokens, start);
    } else if (dropMicros != null) {
      micros = dropMicros;
    } else {
      // Cassandra uses its clock; a schema that is parsed twice must be the same.
      throw tokens.expected("USING TIMESTAMP and the time of the drop in microseconds");
    }
    for (int i = 0; i < names.size(); i++) {
      String column = names.get(i);
      if (builder.hasColumn(column) || !ifExists) {
        tokens.at(places.get(i), () -> builder.drop(column, micros));
      }
    }
  }

  private void dropTable() {
    boolean ifExists = tokens.tryWords("if", "exists");
    FullName name = fullName("a table's name");
    ifMissing.remove(name.key());
    if (tables.remove(name.key()) == null && !ifExists) {
      throw tokens.error(name.start, "Table '" + name.key() + "' doesn't exist");
    }
  }
}
