package io.siltstone.tools.compact;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code siltstone train-dictionary}: trains the compression dictionary of a table. */
@Command(
    name = "train-dictionary",
    description = {
      "Trains a compression dictionary from sampled chunks of the SSTables, and prints what files"
          + " take with it and with the present compression. If they get at least 5 %% smaller,"
          + " the table keeps it, and all SSTables that are written from then on have it;"
          + " recompress rewrites the present ones.",
      "The table's compressor must be ZstdDictionaryCompressor, and the version of new SSTables pa"
          + " or ea.",
      "The other options change those of the table's compression first, like ALTER TABLE does: in"
          + " the database, or in the schema.cql of the directory."
    })
public final class TrainDictionaryCommand extends MaintenanceCommand {
  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description = "The level of Zstandard, instead of the table's compression_level.")
  private @Nullable String level;

  @Option(
      names = "--max-dict-size",
      paramLabel = "SIZE",
      description =
          "The greatest size of the dictionary, e.g. 64KiB, instead of the table's"
              + " training_max_dictionary_size.")
  private @Nullable String dictionarySize;

  @Option(
      names = "--max-total-sample-size",
      paramLabel = "SIZE",
      description =
          "How much data is sampled, e.g. 10MiB, instead of the table's"
              + " training_max_total_sample_size.")
  private @Nullable String sampleSize;

  @Option(
      names = "--min-frequency",
      paramLabel = "TIME",
      description =
          "The least time since the last training, e.g. 0m, 12h, 7d, instead of the table's"
              + " training_min_frequency.")
  private @Nullable String frequency;

  /** Creates the command; see {@link MaintenanceCommand}. */
  public TrainDictionaryCommand(
      Terminal terminal, FailureReporter failures, InterruptHandler interruption) {
    super(terminal, failures, interruption);
  }

  @Override
  CompactionRequest request(OpenTable table) {
    return CompactionRequest.of(Operation.TRAIN_DICTIONARY);
  }

  @Override
  TableSchema altered(TableSchema table) {
    TableOptions options = table.options();
    Map<String, String> map = new HashMap<>(options.compression().toMap());
    put(map, "compression_level", level);
    put(map, "training_max_dictionary_size", dictionarySize);
    put(map, "training_max_total_sample_size", sampleSize);
    put(map, "training_min_frequency", frequency);
    if (!options.compression().takesDictionary() || map.equals(options.compression().toMap())) {
      // The request says what is wrong with a compressor that takes none.
      return table;
    }
    try {
      return table.withOptions(
          options.toBuilder().compression(CompressionOptions.fromMap(map)).build());
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void put(Map<String, String> map, String name, @Nullable String value) {
    if (value != null) {
      map.put(name, value);
    }
  }
}
