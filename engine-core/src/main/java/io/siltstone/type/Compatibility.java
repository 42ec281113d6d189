package io.siltstone.type;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Determines which types can replace others in a table that has values. Source: Cassandra {@code
 * AbstractType} with its subclasses: {@code isSerializationCompatibleWith} is {@link #ofCells},
 * {@code isValueCompatibleWith} is {@link #ofValues}, {@code isCompatibleWith} is {@link #ofOrder}.
 */
final class Compatibility {
  private static final Set<CqlType> MILLIS =
      Set.of(CqlTypes.BIGINT, CqlTypes.TIMESTAMP, CqlTypes.LEGACY_DATE);
  private static final Set<CqlType> STRINGS = Set.of(CqlTypes.TEXT, CqlTypes.ASCII);
  private static final Set<CqlType> INSTANTS = Set.of(CqlTypes.TIMESTAMP, CqlTypes.LEGACY_DATE);

  /** Types whose values each type can read, beside its own. */
  private static final Map<CqlType, Set<CqlType>> READABLE =
      Map.of(
          CqlTypes.TEXT,
          STRINGS,
          CqlTypes.BIGINT,
          MILLIS,
          CqlTypes.TIMESTAMP,
          MILLIS,
          CqlTypes.LEGACY_DATE,
          MILLIS,
          CqlTypes.VARINT,
          Set.of(CqlTypes.INT, CqlTypes.BIGINT, CqlTypes.TIMESTAMP, CqlTypes.LEGACY_DATE),
          CqlTypes.DATE,
          Set.of(CqlTypes.INT),
          CqlTypes.TIME,
          Set.of(CqlTypes.BIGINT),
          CqlTypes.UUID,
          Set.of(CqlTypes.TIMEUUID));

  /** Types whose values each type can read and orders as they do, beside its own. */
  private static final Map<CqlType, Set<CqlType>> ORDERED_ALIKE =
      Map.of(
          CqlTypes.BLOB, STRINGS,
          CqlTypes.TEXT, STRINGS,
          CqlTypes.TIMESTAMP, INSTANTS,
          CqlTypes.LEGACY_DATE, INSTANTS);

  private Compatibility() {}

  /** Returns whether cells are compatible, see {@link CqlType#canReadCellsOf}. */
  static boolean ofCells(CqlType type, CqlType before) {
    boolean isAlike =
        ofValues(type, before)
            && type.fixedLength() == before.fixedLength()
            && type.isMultiCell() == before.isMultiCell();
    return switch (type.kind()) {
      case LIST, MAP -> ofValues(type, before) && ofCells(element(type), element(before));
      case SET -> ofValues(type, before);
      case SCALAR -> isAlike && !(type.equals(CqlTypes.BLOB) && isCompound(before));
      case TUPLE, USER, VECTOR, COMPOSITE, REVERSED -> isAlike;
    };
  }

  /** Returns whether a type has grown, see {@link CqlType#hasGrownFrom}. */
  static boolean ofGrowth(CqlType type, CqlType before) {
    if (type.equals(before)) {
      return true;
    }
    if (type.kind() != before.kind() || type.isMultiCell() != before.isMultiCell()) {
      return false;
    }
    List<CqlType> parts = type.elementTypes();
    List<CqlType> partsBefore = before.elementTypes();
    boolean hasAsMany =
        switch (type.kind()) {
          case SCALAR -> false;
          case USER -> parts.size() >= partsBefore.size();
          case VECTOR -> ((VectorType) type).dimension() == ((VectorType) before).dimension();
          case LIST, SET, MAP, TUPLE, COMPOSITE, REVERSED -> parts.size() == partsBefore.size();
        };
    for (int i = 0; hasAsMany && i < partsBefore.size(); i++) {
      if (!ofGrowth(parts.get(i), partsBefore.get(i))) {
        return false;
      }
    }
    return hasAsMany;
  }

  /** Returns the type of a list's elements, or of a map's values. */
  private static CqlType element(CqlType collection) {
    List<CqlType> parts = collection.elementTypes();
    return parts.get(parts.size() - 1);
  }

  private static boolean isCompound(CqlType type) {
    return switch (type.kind()) {
      case LIST, SET, MAP, USER -> true;
      case SCALAR, TUPLE, VECTOR, COMPOSITE, REVERSED -> false;
    };
  }

  /** Returns whether values of the one type are values of the other. */
  private static boolean ofValues(CqlType type, CqlType before) {
    if (type instanceof UserType user) {
      return before instanceof UserType other
          && user.isMultiCell() == other.isMultiCell()
          && user.keyspace().equals(other.keyspace())
          && ofFields(user, other, Compatibility::ofOrder);
    }
    return ofPlainValues(type.unreversed(), before.unreversed());
  }

  private static boolean ofPlainValues(CqlType type, CqlType before) {
    return switch (type.kind()) {
      case SCALAR -> type.equals(CqlTypes.BLOB) || isOneOf(type, before, READABLE);
      case LIST, SET, MAP ->
          type.isMultiCell() ? ofOrder(type, before) : ofFrozenValues(type, before);
      case TUPLE, USER -> ofFields(type, before, Compatibility::ofValues);
      case VECTOR, COMPOSITE, REVERSED -> type.equals(before);
    };
  }

  private static boolean ofFrozenValues(CqlType type, CqlType before) {
    if (!isSameCollection(type, before)) {
      return false;
    }
    return switch (type.kind()) {
      case LIST -> ofPlainValues(element(type), element(before));
      case MAP -> isKeyOrdered(type, before) && ofValues(element(type), element(before));
      default -> isKeyOrdered(type, before);
    };
  }

  /** Whether moreover values of both types are in the same order. */
  /**
   * Returns whether values are compatible and in the same order, see {@link
   * CqlType#canOrderValuesOf}.
   */
  static boolean ofOrder(CqlType type, CqlType before) {
    return switch (type.kind()) {
      case SCALAR -> isOneOf(type, before, ORDERED_ALIKE);
      case LIST, SET, MAP ->
          isSameCollection(type, before)
              && (type.kind() == TypeKind.LIST || isKeyOrdered(type, before))
              && (type.kind() == TypeKind.SET || isElementOrdered(type, before));
      case TUPLE, USER -> ofFields(type, before, Compatibility::ofOrder);
      case REVERSED -> before.isReversed() && ofOrder(type.unreversed(), before.unreversed());
      case VECTOR, COMPOSITE -> type.equals(before);
    };
  }

  private static boolean isElementOrdered(CqlType type, CqlType before) {
    return type.isMultiCell()
        ? ofCells(element(type), element(before))
        : ofOrder(element(type), element(before));
  }

  /** Returns whether a type is a set or map, whose keys are ordered. */
  private static boolean isKeyOrdered(CqlType type, CqlType before) {
    return ofOrder(type.elementTypes().get(0), before.elementTypes().get(0));
  }

  private static boolean isSameCollection(CqlType type, CqlType before) {
    return type.kind() == before.kind() && type.isMultiCell() == before.isMultiCell();
  }

  /** Compares the fields of tuples or user types, to which fields may have been added. */
  private static boolean ofFields(
      CqlType type, CqlType before, BiPredicate<CqlType, CqlType> isCompatible) {
    List<CqlType> fields = type.elementTypes();
    List<CqlType> fieldsBefore = before.elementTypes();
    boolean isTuple = before.kind() == TypeKind.TUPLE || before.kind() == TypeKind.USER;
    if (!isTuple || fields.size() < fieldsBefore.size()) {
      return false;
    }
    for (int i = 0; i < fieldsBefore.size(); i++) {
      if (!isCompatible.test(fields.get(i), fieldsBefore.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOneOf(CqlType type, CqlType before, Map<CqlType, Set<CqlType>> others) {
    return type.equals(before) || others.getOrDefault(type, Set.of()).contains(before);
  }
}
