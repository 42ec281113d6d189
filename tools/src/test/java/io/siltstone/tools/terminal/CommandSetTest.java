package io.siltstone.tools.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CommandSetTest {
  @Command(name = "main")
  private static final class Main {}

  @Command
  private static final class Plain {}

  private final List<String> made = new ArrayList<>();
  private final CommandSet commands =
      new CommandSet().add("one", () -> made("one")).add("two", () -> made("two"));

  private Plain made(String name) {
    made.add(name);
    return new Plain();
  }

  private CommandLine line(String... args) {
    CommandLine line = new CommandLine(new Main());
    commands.addTo(line, args);
    return line;
  }

  @Test
  void onlyTheOneThatIsAskedForIsMade() {
    assertThat(line("two", "one").getSubcommands()).containsOnlyKeys("two");
    assertThat(made).containsExactly("two");
  }

  @ParameterizedTest
  @CsvSource({"--help", "--verbose one", "other", "''"})
  void allAreThereForWhatDoesNotBeginWithOne(String args) {
    assertThat(line(args.split(" ", 0)).getSubcommands().keySet()).containsExactly("one", "two");
  }

  @Test
  void allAreThereWithoutArguments() {
    assertThat(line().getSubcommands().keySet()).containsExactly("one", "two");
  }
}
