package io.siltstone.sstable;

import io.siltstone.sstable.format.Component;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of an SSTable that have not changed since the SSTable was last open, when its
 * components were checked against each other. Immutable.
 *
 * @param components the components that exist
 * @param writtenAt the completion time of its data file according to the file system, in
 *     milliseconds since 1970
 * @param dataFacts the {@link SSTable#dataFacts} that were kept; null for none
 */
public record KnownFiles(Set<Component> components, long writtenAt, @Nullable String dataFacts) {
  /** Copies the set. */
  public KnownFiles {
    components = Set.copyOf(components);
  }
}
