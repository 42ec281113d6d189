package io.siltstone.sstable.index;

import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.Directory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;

/**
 * The parts of an SSTable on which its index depends.
 *
 * @param directory of its files
 * @param encoding of its rows
 * @param dataLength uncompressed length of its data in bytes
 * @param filter of its keys, not owned
 */
public record IndexedTable(
    Directory directory,
    Descriptor descriptor,
    Partitioner partitioner,
    RowEncoding encoding,
    long dataLength,
    BloomFilter filter) {

  /** Returns the name of a component's file. */
  public String name(Component component) {
    return descriptor.fileName(component);
  }

  /** Returns the exception for damage at a position of a component. */
  public CorruptSSTableException corrupt(Component component, long position, String reason) {
    return new CorruptSSTableException(
        directory.path() + "/" + name(component), component, position, reason);
  }
}
