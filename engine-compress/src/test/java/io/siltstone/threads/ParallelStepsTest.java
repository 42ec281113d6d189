package io.siltstone.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParallelStepsTest {
  private static final List<Integer> MANY = IntStream.range(0, 100).boxed().toList();

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    threads.shutdown();
  }

  @Test
  void eachElementHasItsStepOnce() throws IOException {
    for (List<Integer> elements : List.of(List.<Integer>of(), List.of(1), MANY)) {
      Queue<Integer> done = new ConcurrentLinkedQueue<>();
      new ParallelSteps(threads, 4).forEach(elements, done::add);
      assertThat(done).containsExactlyInAnyOrderElementsOf(elements);
    }
  }

  @Test
  void shortListsStayInTheCallingThread() throws IOException {
    Queue<Thread> used = new ConcurrentLinkedQueue<>();
    new ParallelSteps(threads, 4).forEach(List.of(1, 2), i -> used.add(Thread.currentThread()));
    assertThat(used).containsOnly(Thread.currentThread());
  }

  @Test
  void noStepBeginsAfterAFailureAndNoneRunsWhenItIsThrown() {
    Queue<Integer> done = new ConcurrentLinkedQueue<>();
    ParallelSteps steps = new ParallelSteps(threads, 4);
    assertThatThrownBy(
            () ->
                steps.forEach(
                    MANY,
                    element -> {
                      if (element == 5) {
                        throw new IOException("fifth");
                      }
                      done.add(element);
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("fifth");
    int count = done.size();
    assertThat(count).isLessThan(MANY.size());
    assertThat(done).hasSize(count);
  }

  @Test
  void callerDoesAllWithoutOtherThreads() throws IOException {
    Queue<Integer> done = new ConcurrentLinkedQueue<>();
    new ParallelSteps(
            task -> {
              throw new RejectedExecutionException("none");
            },
            4)
        .forEach(MANY, done::add);
    assertThat(done).containsExactlyElementsOf(MANY);
  }

  @Test
  void stepsMayRunStepsInAPoolWhoseThreadsAllWait() throws IOException {
    ExecutorService two = Executors.newFixedThreadPool(2);
    try {
      ParallelSteps steps = new ParallelSteps(two, 4);
      Queue<Integer> done = new ConcurrentLinkedQueue<>();
      steps.forEach(MANY, outer -> steps.forEach(MANY, done::add));
      assertThat(done).hasSize(MANY.size() * MANY.size());
    } finally {
      two.shutdown();
    }
  }
}
