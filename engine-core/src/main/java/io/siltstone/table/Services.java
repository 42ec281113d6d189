package io.siltstone.table;

import io.siltstone.cache.ReadCaches;
import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.compress.FlushCompression;
import io.siltstone.files.WriteGuard;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.PartitionReaders;
import io.siltstone.sstable.format.FormatVersion;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What all tables of a database share. The tables close none of it.
 *
 * @param hostId of the database, whose commit log SSTables tell of
 * @param partitioner of all tables
 * @param version of the SSTables that are written
 * @param flushCompression of the SSTables that a flush writes
 * @param columnIndexSizeBytes of the SSTables that are written
 * @param isLenient whether SSTables that cannot be opened are set aside
 * @param isReadOnly whether nothing on the disk may be changed
 * @param budget of all off-heap memory
 * @param space that memtables may take
 * @param caches of point reads
 * @param readers at rest
 * @param scans reads and decompresses ahead of scans; null if each does so by its own thread
 * @param slowReadNanos from which on a read of a partition is slow; {@link Long#MAX_VALUE} for none
 * @param clock of automatic timestamps
 * @param paths of list elements
 * @param health of the database
 * @param guard is asked before each step that only the process may take that holds the lock
 * @param listener of its user
 * @param cleaner runs deletions of obsolete files
 */
public record Services(
    UUID hostId,
    Partitioner partitioner,
    FormatVersion version,
    FlushCompression flushCompression,
    int columnIndexSizeBytes,
    boolean isLenient,
    boolean isReadOnly,
    MemoryBudget budget,
    MemtablePool space,
    ReadCaches caches,
    PartitionReaders readers,
    @Nullable Executor scans,
    long slowReadNanos,
    WriteClock clock,
    ListPaths paths,
    Health health,
    WriteGuard guard,
    GuardedListener listener,
    Executor cleaner) {}
