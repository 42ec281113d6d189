package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A user type, defined by {@code CREATE TYPE}: {@link Fields} with names.
 *
 * <p>A multi-cell one has a cell per field, whose path is the field's index as {@code smallint}.
 * Created by {@link CqlTypes#userType}. Source: Cassandra {@code UserType}.
 */
public final class UserType extends CompoundType {
  private static final String SIMPLE_NAME = "UserType";

  private final String keyspace;
  private final String name;
  private final List<Field> definition;
  private final Fields fields;

  UserType(String keyspace, String name, List<Field> definition, boolean multiCell) {
    super(
        definition.stream().map(Field::type).toList(),
        multiCell,
        className(keyspace, name, definition, false),
        className(keyspace, name, definition, true));
    this.keyspace = keyspace;
    this.name = name;
    this.definition = List.copyOf(definition);
    Set<String> names = new HashSet<>();
    for (Field field : this.definition) {
      if (!names.add(field.name())) {
        throw new IllegalArgumentException(
            "user type " + name + " has two fields called " + field.name());
      }
    }
    this.fields = new Fields(this, elementTypes());
  }

  private static String className(
      String keyspace, String name, List<Field> definition, boolean withinFrozen) {
    StringJoiner joiner = new StringJoiner(",", TypeParser.PACKAGE + SIMPLE_NAME + '(', ")");
    joiner.add(keyspace).add(hex(name));
    for (Field field : definition) {
      CqlType type = field.type();
      String typeName = withinFrozen ? type.classNameWithinFrozen() : type.className();
      joiner.add(hex(field.name()) + ':' + typeName);
    }
    return joiner.toString();
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the keyspace that defines it. */
  public String keyspace() {
    return keyspace;
  }

  /** Returns the name, without keyspace and quotes. */
  public String name() {
    return name;
  }

  /** Returns the fields in the order of their definition, unmodifiable. */
  public List<Field> fields() {
    return definition;
  }

  @Override
  public TypeKind kind() {
    return TypeKind.USER;
  }

  @Override
  public String cqlName() {
    String quoted = CqlName.quoted(name);
    return cqlNameOf(quoted);
  }

  @Override
  public UserType frozen() {
    if (!isMultiCell()) {
      return this;
    }
    List<Field> frozen =
        definition.stream().map(field -> new Field(field.name(), field.type().frozen())).toList();
    return new UserType(keyspace, name, frozen, false);
  }

  @Override
  public CqlType pathType() {
    return isMultiCell() ? CqlTypes.SMALLINT : super.pathType();
  }

  @Override
  public CqlType cellType(byte[] path, int offset, int length) {
    if (!isMultiCell()) {
      return super.cellType(path, offset, length);
    }
    CqlTypes.SMALLINT.validate(path, offset, length);
    int index = BigEndian.getShort(path, offset);
    if (index < 0 || index >= elementTypes().size()) {
      throw new IllegalArgumentException(
          "field " + index + " of " + cqlName() + ", allowed 0 to " + (elementTypes().size() - 1));
    }
    return elementTypes().get(index);
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return fields.compare(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    fields.validate(value, offset, length);
  }

  @Override
  public Object decode(byte[] value, int offset, int length) {
    List<@Nullable Object> objects = fields.decode(value, offset, length);
    Map<String, @Nullable Object> byName = new LinkedHashMap<>();
    for (int i = 0; i < definition.size(); i++) {
      byName.put(definition.get(i).name(), objects.get(i));
    }
    return Collections.unmodifiableMap(byName);
  }

  @Override
  public byte[] encode(Object value) {
    if (value instanceof String text) {
      return encodeLiteral(text);
    }
    if (!(value instanceof Map<?, ?> byName)) {
      throw new IllegalArgumentException(
          "a " + value.getClass().getName() + " is no " + cqlName() + ", allowed: Map, String");
    }
    Map<Object, @Nullable Object> rest = new LinkedHashMap<>(byName);
    List<@Nullable Object> objects = new ArrayList<>(definition.size());
    for (Field field : definition) {
      objects.add(rest.remove(field.name()));
    }
    if (!rest.isEmpty()) {
      throw new IllegalArgumentException(
          cqlName()
              + " has no field "
              + rest.keySet().iterator().next()
              + ", allowed "
              + definition.stream().map(Field::name).toList());
    }
    return fields.encode(objects);
  }

  @Override
  public String format(byte[] value, int offset, int length) {
    return fields.format(value, offset, length);
  }

  @Override
  public byte[] parse(String text) {
    return fields.parse(text);
  }

  /** Returns a name that CQL would have to quote has its quotes in JSON, too. */
  @Override
  public String toJson(byte[] value, int offset, int length) {
    List<String> values = fields.toJson(value, offset, length);
    StringJoiner json = new StringJoiner(", ", "{", "}");
    for (int i = 0; i < values.size(); i++) {
      String field = definition.get(i).name();
      boolean quoted = !field.equals(field.toLowerCase(Locale.US));
      json.add(JsonText.quoted(quoted ? '"' + field + '"' : field) + ": " + values.get(i));
    }
    return json.toString();
  }

  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    List<String> values = fields.toCqlLiterals(value, offset, length);
    StringJoiner literal = new StringJoiner(", ", "{", "}");
    for (int i = 0; i < values.size(); i++) {
      literal.add(definition.get(i).cqlName() + ": " + values.get(i));
    }
    return literal.toString();
  }

  /**
   * A field of a user type.
   *
   * @param name without quotes
   * @param type of the field's values
   */
  public record Field(String name, CqlType type) {
    /** Checks that neither component is missing. */
    public Field {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(type, "type");
    }

    /**
     * Returns the name as CQL writes it: between quotes if it would otherwise be read as another.
     */
    public String cqlName() {
      return CqlName.quoted(name);
    }
  }
}
