package io.siltstone.spark.files;

import io.siltstone.sstable.format.Component;
import java.io.Serializable;
import java.util.List;

/**
 * An SSTable of a listing.
 *
 * @param name the common part of its files' names, as {@code oa-1-big}
 * @param files its components
 */
public record ListedSSTable(String name, List<ListedFile> files) implements Serializable {
  private static final String FILTER = "-" + Component.FILTER.fileName();

  /** Copies the list. */
  public ListedSSTable {
    files = List.copyOf(files);
  }

  /** Returns the SSTable under another name. */
  public ListedSSTable as(String other) {
    return new ListedSSTable(
        other,
        files.stream().map(file -> file.as(other + file.name().substring(name.length()))).toList());
  }

  /** Returns the SSTable without its bloom filter, which a scan would load in vain. */
  public ListedSSTable withoutFilter() {
    return new ListedSSTable(
        name, files.stream().filter(file -> !file.name().endsWith(FILTER)).toList());
  }

  /** Returns whether it has a component. */
  public boolean has(Component component) {
    return files.stream().anyMatch(file -> file.name().equals(name + "-" + component.fileName()));
  }

  /** Returns the path of a component's file, whether it exists or not. */
  public String path(Component component) {
    ListedFile any = files.get(0);
    String suffix = any.name().substring(name.length());
    String real = any.realName().substring(0, any.realName().length() - suffix.length());
    return any.directory() + "/" + real + "-" + component.fileName();
  }

  /** Returns the size of all its files in bytes. */
  public long bytes() {
    return files.stream().mapToLong(ListedFile::length).sum();
  }
}
