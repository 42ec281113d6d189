package io.siltstone.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class ReferencesTest {
  private final AtomicInteger freed = new AtomicInteger();
  private final References references = new References(freed::incrementAndGet);

  @Test
  void whatNobodyUsesIsFreedWhenItIsGivenUp() {
    assertThat(references.tryAcquire()).isTrue();
    references.release();
    assertThat(freed).hasValue(0);
    references.giveUp();
    assertThat(freed).hasValue(1);
    references.giveUp();
    assertThat(freed).hasValue(1);
  }

  @Test
  void theLastUserFreesIt() {
    assertThat(references.tryAcquire()).isTrue();
    assertThat(references.tryAcquire()).isTrue();
    references.giveUp();
    references.release();
    assertThat(freed).hasValue(0);
    references.release();
    assertThat(freed).hasValue(1);
  }

  @Test
  void whatWasGivenUpIsNotUsedAgain() {
    assertThat(references.tryAcquire()).isTrue();
    assertThat(references.isGivenUp()).isFalse();
    references.giveUp();
    assertThat(references.isGivenUp()).isTrue();
    assertThat(references.tryAcquire()).isFalse();
    assertThat(freed).hasValue(0);
    references.release();
    assertThat(references.tryAcquire()).isFalse();
    assertThat(freed).hasValue(1);
  }

  @Test
  void aReleaseTooManyIsRefused() {
    assertThat(references.tryAcquire()).isTrue();
    references.giveUp();
    references.release();
    assertThatThrownBy(references::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("released more often than acquired");
    assertThat(freed).hasValue(1);
  }

  @Test
  void anotherThreadMayRelease() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int i = 0; i < 8; i++) {
        assertThat(references.tryAcquire()).isTrue();
      }
      references.giveUp();
      for (int i = 0; i < 8; i++) {
        assertThat(freed).hasValue(0);
        threads.submit(references::release).get();
      }
      assertThat(freed).hasValue(1);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void itIsFreedOnceAndNeverWhileItIsUsed() throws Exception {
    int rounds = 200;
    int users = 3;
    ExecutorService threads = Executors.newFixedThreadPool(users);
    try {
      for (int round = 0; round < rounds; round++) {
        AtomicInteger frees = new AtomicInteger();
        AtomicIntegerArray misuses = new AtomicIntegerArray(1);
        References of = new References(frees::incrementAndGet);
        CountDownLatch begun = new CountDownLatch(users);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < users; i++) {
          running.add(
              threads.submit(
                  () -> {
                    begun.countDown();
                    while (of.tryAcquire()) {
                      misuses.addAndGet(0, frees.get());
                      of.release();
                    }
                  }));
        }
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        of.giveUp();
        for (Future<?> user : running) {
          user.get();
        }
        assertThat(frees).hasValue(1);
        assertThat(misuses.get(0)).isZero();
      }
    } finally {
      threads.shutdown();
    }
  }
}
