package io.siltstone.table;

import io.siltstone.event.EngineListener;

/**
 * Tells a listener what reads of a table meet. Of reads that a writer makes under the lock of a
 * shard it is told when the lock is free, as it may need it. Safe for all threads.
 */
final class UnlockedListener implements EngineListener {
  private final EngineListener listener;
  private final WriteShard[] shards;

  /**
   * @param shards of the table
   */
  UnlockedListener(EngineListener listener, WriteShard[] shards) {
    this.listener = listener;
    this.shards = shards;
  }

  @Override
  public void slowRead(SlowRead event) {
    tell(() -> listener.slowRead(event));
  }

  @Override
  public void corruptionFound(CorruptionFound event) {
    tell(() -> listener.corruptionFound(event));
  }

  private void tell(Runnable event) {
    for (WriteShard shard : shards) {
      if (shard.lock.isHeldByCurrentThread()) {
        shard.tellLater(event);
        return;
      }
    }
    event.run();
  }
}
