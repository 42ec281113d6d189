package io.siltstone.type;

/** The kinds of {@link CqlType}, by their parts. */
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
  /** A fixed number of elements, the dimension. */
  VECTOR,
  /** Several key columns in one value. */
  COMPOSITE,
  /** Another type in descending order. */
  REVERSED
}
