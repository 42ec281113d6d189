package io.siltstone.table;

import io.siltstone.backup.SourceFile;
import io.siltstone.catalog.Catalog;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.commitlog.segment.LogFiles;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.liveset.DictionaryFile;
import io.siltstone.liveset.FlushedPositionStore;
import io.siltstone.liveset.KeyRangeDeletionStore;
import io.siltstone.liveset.RetentionFloorStore;
import io.siltstone.liveset.Snapshot;
import io.siltstone.liveset.View;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of an open database, held as they are at one moment: views of the SSTables, and the
 * commit log up to that moment, which has what no SSTable has. Tables without a log are flushed
 * first.
 *
 * <p>The order matters. Flushes are excluded while all of this is taken. The log's segments are
 * kept from then on, so that what was flushed before is in the SSTables, and what will be flushed
 * is in the log. The flushed positions are read after the views: they then say nothing of SSTables
 * that came later.
 *
 * <p>Confined to one thread, which holds the tables' structure locks; closed by its owner.
 */
final class HeldFiles implements Closeable {
  private final Services services;
  private final CommitLog log;
  private final Directory logDirectory;
  private final Flusher flusher;
  private final Map<TableStore, View> views = new LinkedHashMap<>();
  // Small files with the content of that moment.
  private final Directory texts = new MemoryDirectory();
  private final List<SourceFile> files = new ArrayList<>();
  private @Nullable Closeable segments;

  /**
   * @param logDirectory the directory of the log
   * @param flusher flushes the tables without a log
   */
  HeldFiles(Services services, CommitLog log, Directory logDirectory, Flusher flusher) {
    this.services = services;
    this.log = log;
    this.logDirectory = logDirectory;
    this.flusher = flusher;
  }

  /** Returns the files that are held. */
  List<SourceFile> files() {
    return List.copyOf(files);
  }

  /** Takes hold of the files. */
  void hold(List<TableStore> stores, AutomaticTimestamps timestamps) throws IOException {
    OrderedLocks flushes = new OrderedLocks(stores.stream().map(store -> store.flushing).toList());
    flushes.lock();
    try {
      flusher.sealAndWrite(
          stores.stream().filter(store -> !store.definition().isLogged()).toList());
      segments = log.hold();
      for (TableStore store : stores) {
        views.put(store, store.liveSet().acquire());
        addPositions(store);
      }
      CommitLogPosition end = log.position();
      // Whatever the sync mode, the records up to there are in the files now.
      log.sync();
      addLog(end);
    } finally {
      flushes.unlock();
    }
    for (Map.Entry<TableStore, View> each : views.entrySet()) {
      addTable(each.getKey(), each.getValue());
    }
    services.identity().write(texts);
    timestamps.copyTo(texts);
    for (String name : texts.files()) {
      files.add(SourceFile.of(name, texts, name, null));
    }
  }

  private void addLog(CommitLogPosition end) throws IOException {
    for (Map.Entry<String, Long> each : LogFiles.upTo(logDirectory, end).entrySet()) {
      String name = each.getKey();
      files.add(
          SourceFile.of(DatabaseLayout.pathOfLog(name), logDirectory, name, null)
              .upTo(each.getValue()));
    }
  }

  private void addPositions(TableStore store) throws IOException {
    Directory directory = store.liveSet().directory();
    if (directory.exists(FlushedPositionStore.FILE)) {
      addText(
          store, FlushedPositionStore.FILE, TextFile.read(directory, FlushedPositionStore.FILE));
    }
  }

  private void addText(TableStore store, String name, String text) throws IOException {
    Directory copy = texts.directory(store.id().id().toString());
    try (WritableFile file = copy.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
    files.add(SourceFile.of(DatabaseLayout.pathOf(store.schema(), name), copy, name, null));
  }

  private void addTable(TableStore store, View view) throws IOException {
    addText(store, Catalog.SCHEMA_FILE, store.schema().toCql());
    RetentionFloor floor = view.floor();
    if (floor != null) {
      addText(store, RetentionFloorStore.FILE, RetentionFloorStore.textOf(floor));
    }
    KeyRangeDeletions keyRanges = view.keyRanges();
    if (keyRanges != null) {
      addText(store, KeyRangeDeletionStore.FILE, KeyRangeDeletionStore.textOf(keyRanges));
    }
    Directory directory = store.liveSet().directory();
    if (directory.exists(DictionaryFile.FILE)) {
      addText(store, DictionaryFile.FILE, TextFile.read(directory, DictionaryFile.FILE));
    }
    for (SSTable table : view.byFirstKey()) {
      List<String> names = Snapshot.filesOf(table, directory);
      String data = table.descriptor().fileName(Component.DATA);
      String digest = table.descriptor().fileName(Component.DIGEST);
      for (String name : names) {
        boolean isChecked = name.equals(data) && names.contains(digest);
        files.add(
            SourceFile.of(
                DatabaseLayout.pathOf(store.schema(), name),
                directory,
                name,
                isChecked ? DatabaseLayout.pathOf(store.schema(), digest) : null));
      }
    }
  }

  /** Releases the views and the segments. */
  @Override
  public void close() throws IOException {
    views.values().forEach(View::release);
    views.clear();
    if (segments != null) {
      segments.close();
    }
  }
}
