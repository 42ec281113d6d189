package io.siltstone.type;

/** What a {@link CqlType} is made of. */
public enum TypeKind {
  /** No parts. */
  SCALAR,
  /** Elements in the order given. */
  LIST,
  /** Distinct elements in the element's order. */
  SET,
  /** Entries in the key's order. */
  MAP,
  /** Fields without names, each of its type, any of them null. */
  TUPLE,
  /** Named fields, each of its type, any of them null; a {@link UserType}. */
  USER,
  /** As many elements as the dimension says. */
  VECTOR,
  /** Several key columns in one value. */
  COMPOSITE,
  /** Another type in descending order. */
  REVERSED
}
