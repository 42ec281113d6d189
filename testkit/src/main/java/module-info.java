/**
 * Test doubles for directories and memory budgets: injected faults, power loss, counting, leak
 * checks.
 */
module io.siltstone.testkit {
  requires static transitive org.jspecify;
  requires transitive io.siltstone.compress;
  requires static transitive org.junit.jupiter.api;

  exports io.siltstone.testkit;
}
