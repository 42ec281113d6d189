package io.siltstone.table;

import io.siltstone.event.EngineListener;

/**
 * Notifies a listener of slow reads and corruption without locks held. Events of reads that a
 * writer makes under the lock of a shard are delivered after that lock is released, as the listener
 * may need it. Safe for all threads.
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
    notifyListener(() -> listener.slowRead(event));
  }

  @Override
  public void corruptionFound(CorruptionFound event) {
    notifyListener(() -> listener.corruptionFound(event));
  }

  private void notifyListener(Runnable event) {
    for (WriteShard shard : shards) {
      if (shard.lock.isHeldByCurrentThread()) {
        shard.notifyLater(event);
        return;
      }
    }
    event.run();
  }
}
