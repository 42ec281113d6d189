package io.siltstone.schema;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses types, and keeps the user types that were defined so far. */
final class TypeReader {
  /** Maximum depth of types; a deeper one is a mistake or an attempt to exhaust the stack. */
  static final int MAX_DEPTH = 64;

  /**
   * Maximum number of parts of a type. User types of user types can form a type whose full name is
   * exponentially longer than the text; one of this size still fits into a file's header.
   */
  static final int MAX_PARTS = 2000;

  private final TokenReader tokens;
  private final Map<String, UserType> userTypes = new LinkedHashMap<>();
  private final Map<String, Size> sizes = new HashMap<>();

  /** The size of a type with its user types written out. */
  private record Size(int depth, int parts) {
    static final Size ONE = new Size(1, 1);

    Size within(Size outer) {
      return new Size(Math.max(outer.depth, depth + 1), outer.parts + parts);
    }
  }

  private record Sized(CqlType type, Size size) {}

  TypeReader(TokenReader tokens) {
    this.tokens = tokens;
  }

  /** Returns all user types in the order of their definition. */
  List<UserType> userTypes() {
    return new ArrayList<>(userTypes.values());
  }

  List<UserType> userTypes(String keyspace) {
    return userTypes.values().stream().filter(type -> type.keyspace().equals(keyspace)).toList();
  }

  boolean isDefined(String keyspace, String name) {
    return userTypes.containsKey(key(keyspace, name));
  }

  void define(UserType type, List<CqlType> fields) {
    Size size = Size.ONE;
    for (CqlType field : fields) {
      size = sizeOf(field).within(size);
    }
    String key = key(type.keyspace(), type.name());
    userTypes.put(key, type);
    sizes.put(key, size);
  }

  private static String key(String keyspace, String name) {
    return keyspace + '.' + name;
  }

  /** Reads a type of a statement on a keyspace. */
  CqlType read(String keyspace) {
    return read(keyspace, false, 1).type;
  }

  private Sized read(String keyspace, boolean withinFrozen, int depth) {
    Token start = tokens.peek();
    if (depth > MAX_DEPTH) {
      throw tokens.error(start, "types nested deeper than " + MAX_DEPTH);
    }
    Sized sized =
        start.kind() == Token.Kind.STRING
            ? custom(tokens.next())
            : start.kind() == Token.Kind.WORD && tokens.peekSecond().isSymbol('<')
                ? parameterized(keyspace, withinFrozen, depth)
                : named(keyspace, withinFrozen);
    if (sized.size.depth > MAX_DEPTH || sized.size.parts > MAX_PARTS) {
      throw tokens.error(
          start,
          "a type of "
              + sized.size.parts
              + " parts, "
              + sized.size.depth
              + " deep, allowed "
              + MAX_PARTS
              + " parts, "
              + MAX_DEPTH
              + " deep");
    }
    return sized;
  }

  private Sized custom(Token token) {
    try {
      CqlType type = CqlTypes.parse(token.text());
      if (hasReversed(type)) {
        throw tokens.error(
            token, "reversed type " + token.text() + ", allowed by CLUSTERING ORDER BY alone");
      }
      return new Sized(type, sizeOf(type));
    } catch (IllegalArgumentException e) {
      throw tokens.error(token, String.valueOf(e.getMessage()));
    }
  }

  private static boolean hasReversed(CqlType type) {
    return type.isReversed() || type.elementTypes().stream().anyMatch(TypeReader::hasReversed);
  }

  private Sized parameterized(String keyspace, boolean withinFrozen, int depth) {
    Token start = tokens.next();
    tokens.symbol('<');
    Sized sized =
        switch (start.text()) {
          case "frozen" -> frozen(keyspace, depth);
          case "list" -> list(keyspace, withinFrozen, depth);
          case "set" -> set(start, keyspace, withinFrozen, depth);
          case "map" -> map(start, keyspace, withinFrozen, depth);
          case "tuple" -> tuple(keyspace, depth);
          case "vector" -> vector(keyspace, depth);
          default ->
              throw tokens.error(
                  start,
                  "expected frozen, list, set, map, tuple or vector before '<', found "
                      + start.shown());
        };
    tokens.symbol('>');
    return withinFrozen ? new Sized(sized.type.frozen(), sized.size) : sized;
  }

  private Sized frozen(String keyspace, int depth) {
    Token inner = tokens.peek();
    Sized sized = read(keyspace, true, depth + 1);
    if (inner.kind() == Token.Kind.STRING || !TypeText.canBeFrozen(sized.type)) {
      throw tokens.error(
          inner,
          "frozen<> is only allowed on collections, tuples, and user-defined types (got "
              + tokens.source(inner)
              + ")");
    }
    return new Sized(sized.type.frozen(), sized.size);
  }

  private Sized list(String keyspace, boolean withinFrozen, int depth) {
    Sized element = element(keyspace, withinFrozen, depth);
    return new Sized(CqlTypes.list(element.type), element.size.within(Size.ONE));
  }

  private Sized set(Token start, String keyspace, boolean withinFrozen, int depth) {
    Sized element = element(keyspace, withinFrozen, depth);
    if (element.type.equals(CqlTypes.DURATION)) {
      throw tokens.error(start, "Durations are not allowed inside sets");
    }
    return new Sized(CqlTypes.set(element.type), element.size.within(Size.ONE));
  }

  private Sized map(Token start, String keyspace, boolean withinFrozen, int depth) {
    Sized key = element(keyspace, withinFrozen, depth);
    if (key.type.equals(CqlTypes.DURATION)) {
      throw tokens.error(start, "Durations are not allowed as map keys");
    }
    tokens.symbol(',');
    Sized value = element(keyspace, withinFrozen, depth);
    return new Sized(
        CqlTypes.map(key.type, value.type), value.size.within(key.size.within(Size.ONE)));
  }

  private Sized element(String keyspace, boolean withinFrozen, int depth) {
    Token start = tokens.peek();
    Sized element = read(keyspace, withinFrozen, depth + 1);
    if (element.type.isMultiCell() && !withinFrozen) {
      throw tokens.error(
          start,
          (element.type.kind() == TypeKind.USER
                  ? "Non-frozen UDTs are not allowed inside collections: "
                  : "Non-frozen collections are not allowed inside collections: ")
              + tokens.source(start));
    }
    refuseCounter(start, element.type, "inside collections");
    return element;
  }

  private Sized tuple(String keyspace, int depth) {
    List<CqlType> fields = new ArrayList<>();
    Size size = Size.ONE;
    do {
      Token start = tokens.peek();
      Sized field = read(keyspace, true, depth + 1);
      refuseCounter(start, field.type, "inside tuples");
      fields.add(field.type);
      size = field.size.within(size);
    } while (tokens.trySymbol(','));
    return new Sized(CqlTypes.tuple(fields), size);
  }

  private Sized vector(String keyspace, int depth) {
    Token start = tokens.peek();
    Sized element = read(keyspace, true, depth + 1);
    refuseCounter(start, element.type, "inside vectors");
    tokens.symbol(',');
    Token number = tokens.peek();
    if (number.kind() != Token.Kind.NUMBER) {
      throw tokens.expected("the vector's dimension");
    }
    CqlType vector;
    try {
      vector = CqlTypes.vector(element.type, Integer.parseInt(number.text()));
    } catch (NumberFormatException e) {
      throw tokens.error(
          number, "a vector of " + number.text() + " dimensions, allowed whole numbers");
    } catch (IllegalArgumentException e) {
      throw tokens.error(number, String.valueOf(e.getMessage()));
    }
    tokens.next();
    return new Sized(vector, element.size.within(Size.ONE));
  }

  private void refuseCounter(Token start, CqlType type, String where) {
    if (type.isCounter()) {
      throw tokens.error(start, "Counters are not allowed " + where);
    }
  }

  private Sized named(String keyspace, boolean withinFrozen) {
    Token start = tokens.peek();
    if (start.kind() == Token.Kind.WORD && !tokens.peekSecond().isSymbol('.')) {
      Optional<CqlType> scalar = CqlTypes.byName(start.text());
      if (scalar.isPresent() && !isEmptyDefined(scalar.get(), keyspace)) {
        tokens.next();
        return new Sized(scalar.get(), Size.ONE);
      }
    }
    String name = tokens.name("a type");
    if (tokens.trySymbol('.')) {
      if (!name.equals(keyspace)) {
        throw tokens.error(
            start,
            "Statement on keyspace "
                + keyspace
                + " cannot refer to a user type in keyspace "
                + name
                + "; user types can only be used in the keyspace they are defined in");
      }
      name = tokens.name("a type");
    }
    String key = key(keyspace, name);
    UserType type = userTypes.get(key);
    if (type == null) {
      throw tokens.error(
          start,
          "Unknown type "
              + keyspace
              + "."
              + name
              + "; its CREATE TYPE must come before (Cassandra's snapshots leave it out where"
              + " only collections, tuples and vectors use it)");
    }
    return new Sized(withinFrozen ? type.frozen() : type, sizes.getOrDefault(key, Size.ONE));
  }

  /** Returns whether a word is not the scalar type's but that of a user type, as in Cassandra. */
  private boolean isEmptyDefined(CqlType scalar, String keyspace) {
    return scalar.equals(CqlTypes.EMPTY) && isDefined(keyspace, scalar.cqlName());
  }

  private Size sizeOf(CqlType type) {
    Size size = Size.ONE;
    for (CqlType part : type.elementTypes()) {
      size = sizeOf(part).within(size);
    }
    return size;
  }
}
