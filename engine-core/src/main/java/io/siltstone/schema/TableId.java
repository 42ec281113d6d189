package io.siltstone.schema;

import java.util.UUID;

/**
 * Which table: its names, and what tells it from earlier tables of the same names.
 *
 * @param keyspace without quotes
 * @param name without quotes
 * @param id as in the name of its directory
 */
public record TableId(String keyspace, String name, UUID id) {
  /** {@code keyspace.name}. */
  @Override
  public String toString() {
    return keyspace + "." + name;
  }
}
