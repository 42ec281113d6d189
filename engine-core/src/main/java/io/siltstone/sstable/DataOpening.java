package io.siltstone.sstable;

import io.siltstone.cache.ReadCaches;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.SharedCompressors;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.UnsupportedFileException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the data file of an SSTable and the description of its chunks, at once or when they are
 * first needed. Immutable.
 *
 * @param components the components that exist
 * @param isCompressed whether the statistics say that the data is compressed
 */
record DataOpening(
    Directory directory,
    Descriptor descriptor,
    SSTableOptions options,
    ReadCaches caches,
    MemoryBudget budget,
    Set<Component> components,
    boolean isCompressed) {
  private static final Logger LOG = LoggerFactory.getLogger(DataOpening.class);

  /** Opens the file. The caller closes the result. */
  SSTableData open() throws IOException {
    return new SSTableData(openParts(), budget);
  }

  /**
   * Opens the file when it is first needed, if what is known of it allows that. The caller closes
   * the result.
   */
  SSTableData openLate(KnownFiles known) throws IOException {
    String kept = known.dataFacts();
    DataFacts facts = kept == null ? null : DataFacts.parse(kept);
    if (facts == null || !areUsable(facts)) {
      return open();
    }
    return new SSTableData(
        () -> openAs(facts),
        facts,
        facts.compression().isEnabled() || components.contains(Component.CRC),
        budget);
  }

  /** Returns whether opening the file now would neither fail nor find other components. */
  private boolean areUsable(DataFacts facts) throws IOException {
    boolean isEnabled = facts.compression().isEnabled();
    if (isEnabled != components.contains(Component.COMPRESSION_INFO)
        || (isCompressed && !isEnabled)) {
      return false;
    }
    if (!isEnabled) {
      return true;
    }
    try {
      // The library of the compressor may be absent from this process.
      facts.compression().newCompressor().close();
      return true;
    } catch (IllegalArgumentException | IllegalStateException e) {
      return false;
    }
  }

  /** Opens the file, which must be as it was when the facts were kept. */
  private DataParts openAs(DataFacts facts) throws IOException {
    DataParts parts = openParts();
    DataFacts found = DataFacts.of(parts.file());
    if (found.equals(facts)) {
      return parts;
    }
    parts.close();
    throw new CorruptSSTableException(
        path(Component.DATA),
        Component.DATA,
        CorruptFileException.WHOLE_FILE,
        "has been replaced: has "
            + describe(found)
            + ", had "
            + describe(facts)
            + " when the database was closed");
  }

  private static String describe(DataFacts facts) {
    return facts.length()
        + " bytes of data in "
        + facts.fileBytes()
        + " bytes, compression "
        + facts.compression();
  }

  private SharedCompressors compressors() {
    SharedCompressors shared = caches.compressors();
    return shared == null ? new SharedCompressors(budget) : shared;
  }

  private DataParts openParts() throws IOException {
    ChunkedFile file = openFile();
    try {
      return new DataParts(file, caches.chunks().open(file));
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  private ChunkedFile openFile() throws IOException {
    String dataName = name(Component.DATA);
    if (components.contains(Component.COMPRESSION_INFO)) {
      try {
        return ChunkedFile.openCompressed(
            directory,
            dataName,
            name(Component.COMPRESSION_INFO),
            budget,
            compressors(),
            options.crcCheckChance());
      } catch (UnsupportedFileException e) {
        throw new UnsupportedSSTableException(String.valueOf(e.getMessage()), e);
      } catch (CorruptFileException e) {
        if (!options.isForSalvage()) {
          boolean isCut = e.path().endsWith(dataName);
          throw CorruptSSTableException.of(isCut ? Component.DATA : Component.COMPRESSION_INFO, e);
        }
        ChunkedFile parts = openForSalvage(dataName);
        LOG.warn("{} can only be scanned in parts: {}", path(Component.DATA), e.getMessage());
        return parts;
      }
    }
    if (isCompressed) {
      // Compressed data without its description would be read as if it were uncompressed.
      throw CorruptSSTableException.missing(
          path(Component.COMPRESSION_INFO), Component.COMPRESSION_INFO, "the file is missing");
    }
    boolean hasChecksums = components.contains(Component.CRC);
    try {
      return openPlain(hasChecksums ? name(Component.CRC) : null);
    } catch (CorruptFileException e) {
      if (!options.isForSalvage()) {
        throw CorruptSSTableException.of(Component.CRC, e);
      }
      LOG.warn(
          "{} can only be scanned without checksums: {}", path(Component.DATA), e.getMessage());
      return openPlain(null);
    }
  }

  private ChunkedFile openForSalvage(String dataName) throws IOException {
    try {
      return ChunkedFile.openForSalvage(
          directory, dataName, name(Component.COMPRESSION_INFO), budget);
    } catch (UnsupportedFileException e) {
      throw new UnsupportedSSTableException(String.valueOf(e.getMessage()), e);
    } catch (CorruptFileException e) {
      throw CorruptSSTableException.of(Component.COMPRESSION_INFO, e);
    }
  }

  private ChunkedFile openPlain(@Nullable String crcName) throws IOException {
    return ChunkedFile.openPlain(
        directory, name(Component.DATA), crcName, budget, options.crcCheckChance());
  }

  private String name(Component component) {
    return descriptor.fileName(component);
  }

  private String path(Component component) {
    return directory.path() + "/" + name(component);
  }
}
