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
   * Parses text whose options must all be those of Cassandra 5.0.
   *
   * @throws SchemaException with the place, what was found and what is allowed
   */
  public static Schema parse(String text) {
    return new StatementParser(text, false, false).parse();
  }

  /**
   * Parses text that may come from another version: unknown options are skipped with a warning.
   * Unknown classes and policies, for example of compaction, compression and caching, are replaced
   * by the default, also with a warning.
   *
   * @throws SchemaException with the place, what was found and what is allowed
   */
  public static Schema parseLeniently(String text) {
    return new StatementParser(text, true, false).parse();
  }

  /**
   * Parses as {@link #parseLeniently} does, but for writing files of the tables: unknown
   * compression is an error, as files would not be written as the text says.
   *
   * @throws SchemaException with the place, what was found and what is allowed
   */
  public static Schema parseToWrite(String text) {
    return new StatementParser(text, true, true).parse();
  }

  /**
   * Applies {@code ALTER TABLE} statements to a table. Its user types are known, and {@code CREATE
   * TYPE} may add others.
   *
   * @param text names the table, with its keyspace or without
   * @param nowMicros time of drops that have no timestamp, in microseconds since 1970
   * @throws SchemaException with the place, what was found and what is allowed; also if there is no
   *     {@code ALTER TABLE}
   */
  public static TableSchema alter(TableSchema table, String text, long nowMicros) {
    return new StatementParser(text, false, false).alter(table, nowMicros);
  }
}
