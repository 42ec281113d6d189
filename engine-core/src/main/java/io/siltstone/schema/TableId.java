package io.siltstone.schema;

import java.util.UUID;

/**
 * Identifies a table: its names, and an id that distinguishes it from earlier tables of the same
 * names.
 *
 * @param keyspace without quotes
 * @param name without quotes
 * @param id as in the name of its directory
 */
public record TableId(String keyspace, String name, UUID id) {
  /** Returns {@code keyspace.name}. */
  @Override
  public String toString() {
    return keyspace + "." + name;
  }
}
