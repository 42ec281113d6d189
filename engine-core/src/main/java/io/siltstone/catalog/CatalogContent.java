package io.siltstone.catalog;

import io.siltstone.event.EngineListener.RecoveryAssumed;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The tables that were found in the data directory of a database.
 *
 * @param tables in the order of keyspaces and directory names
 * @param dropped ids of tables that were dropped, and of which something is left
 * @param assumptions what a lenient reading has assumed or left out
 * @param others the number of directories that are not those of unchanged tables
 */
public record CatalogContent(
    List<TableHome> tables, Set<UUID> dropped, List<RecoveryAssumed> assumptions, long others) {
  /** Copies the collections. */
  public CatalogContent {
    tables = List.copyOf(tables);
    dropped = Set.copyOf(dropped);
    assumptions = List.copyOf(assumptions);
  }

  /** Returns the paths of the directories of tables that have not changed since a clean close. */
  public Set<String> unchanged() {
    return tables.stream()
        .filter(table -> table.unchanged() != null)
        .map(table -> table.directory().path())
        .collect(Collectors.toSet());
  }
}
