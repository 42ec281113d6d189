package io.siltstone.sstable;

import io.siltstone.io.Directory;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.threads.Failures;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.EnumSet;
import java.util.Set;

/**
 * The files of an SSTable that is being written: they have temporary names until they are
 * published. Confined to one thread.
 */
final class OutputFiles {
  private final Directory directory;
  private final Descriptor descriptor;
  private final Set<Component> components;

  /**
   * @param components of the SSTable
   */
  OutputFiles(Directory directory, Descriptor descriptor, Set<Component> components) {
    this.directory = directory;
    this.descriptor = descriptor;
    this.components = components;
  }

  String temporary(Component component) {
    return descriptor.temporaryFileName(component);
  }

  boolean has(Component component) {
    return components.contains(component);
  }

  /** Gives all files except the data file their final names. */
  void renameAllButData() throws IOException {
    for (Component component : components) {
      if (component != Component.DATA) {
        directory.rename(temporary(component), descriptor.fileName(component));
      }
    }
  }

  /** Gives the data file its final name, by which the SSTable exists. */
  void renameData() throws IOException {
    directory.rename(temporary(Component.DATA), descriptor.fileName(Component.DATA));
  }

  /** Returns the content of {@code TOC.txt}. */
  String tableOfContents() {
    StringBuilder names = new StringBuilder();
    for (Component component : components) {
      names.append(component.fileName()).append('\n');
    }
    return names.toString();
  }

  /** Deletes all files, under temporary and final names. */
  void remove() throws IOException {
    // The temporary data file is deleted last: while it exists, the remaining files are no SSTable,
    // even after a crash.
    if (directory.exists(descriptor.fileName(Component.DATA))) {
      directory.rename(descriptor.fileName(Component.DATA), temporary(Component.DATA));
      directory.sync();
    }
    Throwable failure = null;
    boolean wereNamed = false;
    for (Component component : EnumSet.complementOf(EnumSet.of(Component.DATA))) {
      try {
        wereNamed |= deleteIfThere(descriptor.fileName(component));
        deleteIfThere(temporary(component));
      } catch (IOException e) {
        failure = Failures.first(failure, e);
      }
    }
    Failures.rethrow(failure);
    if (wereNamed) {
      directory.sync();
    }
    deleteIfThere(temporary(Component.DATA));
  }

  void removeAfterFailure(Throwable failure, Component component) {
    try {
      deleteIfThere(temporary(component));
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Returns false if the file was never created, or already has its other name. */
  private boolean deleteIfThere(String name) throws IOException {
    try {
      directory.delete(name);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}
