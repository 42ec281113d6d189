package io.siltstone.sstable;

import io.siltstone.sstable.format.Component;
import java.util.Set;

/**
 * What is known of the files of an SSTable that have not changed since it was last open: then its
 * components were there and fitted each other. Immutable.
 *
 * @param components the components that exist
 * @param writtenAt the completion time of its data file according to the file system, in
 *     milliseconds since 1970
 */
public record KnownFiles(Set<Component> components, long writtenAt) {
  /** Copies the set. */
  public KnownFiles {
    components = Set.copyOf(components);
  }
}
