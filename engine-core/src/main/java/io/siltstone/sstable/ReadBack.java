package io.siltstone.sstable;

import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;

/** Reads all files of a finished SSTable back, while they still have temporary names. */
final class ReadBack {
  private ReadBack() {}

  /**
   * Opens the SSTable and verifies it as {@link SSTableVerifier} does.
   *
   * @throws OutputVerificationException if anything in it cannot be read
   */
  static void verify(
      Directory directory, Descriptor descriptor, OutputFiles files, MemoryBudget budget)
      throws IOException {
    Directory finished = new TemporaryNames(directory, descriptor, files);
    try (SSTable table = SSTable.open(finished, descriptor, SSTableOptions.DEFAULT, budget)) {
      new SSTableVerifier(table).verify(position -> {});
    } catch (CorruptSSTableException e) {
      OutputVerificationException wrong =
          new OutputVerificationException(
              directory.path() + "/" + files.temporary(Component.DATA),
              OutputVerificationException.WHOLE_FILE,
              String.valueOf(e.getMessage()),
              "an SSTable that can be read");
      wrong.addSuppressed(e);
      throw wrong;
    }
  }
}
