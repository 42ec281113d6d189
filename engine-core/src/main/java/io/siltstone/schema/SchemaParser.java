package io.siltstone.schema;

/**
 * Reads tables from CQL text, such as the {@code schema.cql} of a Cassandra snapshot.
 *
 * <p>Read are {@code USE}, {@code CREATE TYPE}, {@code CREATE TABLE}, {@code DROP TABLE} and {@code
 * ALTER TABLE} with {@code ADD}, {@code DROP} and {@code WITH}. Other statements of CQL, {@code
 * CREATE INDEX} among them, are skipped with a warning, except those that would change a table in a
 * way this reader does not know; what is no statement of CQL is an error.
 */
public final class SchemaParser {
  private SchemaParser() {}

  /**
   * Reads text whose options are all of Cassandra 5.0.
   *
   * @throws SchemaException with the place, what was found and what is allowed
   */
  public static Schema parse(String text) {
    return new StatementParser(text, false, false).parse();
  }

  /**
   * Reads text that may come from another version: options that are not known are skipped with a
   * warning, as are classes and policies that are not (those of compaction, compression and caching
   * among them), in whose place the default holds.
   *
   * @throws SchemaException with the place, what was found and what is allowed
   */
  public static Schema parseLeniently(String text) {
    return new StatementParser(text, true, false).parse();
  }

  /**
   * As {@link #parseLeniently}, for who writes files of the tables: compression that is not known
   * is no warning but an error, as files would be written in another way than the text says.
   *
   * @throws SchemaException with the place, what was found and what is allowed
   */
  public static Schema parseToWrite(String text) {
    return new StatementParser(text, true, true).parse();
  }

  /**
   * Applies {@code ALTER TABLE} statements to a table; its user types are known, and {@code CREATE
   * TYPE} may add others.
   *
   * @param text names the table, with its keyspace or without
   * @param nowMicros microseconds since 1970: the time of drops that tell none
   * @throws SchemaException with the place, what was found and what is allowed; also if there is no
   *     {@code ALTER TABLE}
   */
  public static TableSchema alter(TableSchema table, String text, long nowMicros) {
    return new StatementParser(text, false, false).alter(table, nowMicros);
  }
}
