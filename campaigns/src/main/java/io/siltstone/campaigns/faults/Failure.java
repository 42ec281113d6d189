package io.siltstone.campaigns.faults;

import io.siltstone.testkit.Fault;
import io.siltstone.testkit.Operation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A way in which calls of one kind fail.
 *
 * @param operation the kind of calls
 * @param way what happens
 */
record Failure(Operation operation, Way way) {
  private static final Set<Operation> OPENING =
      EnumSet.of(
          Operation.OPEN,
          Operation.CREATE,
          Operation.APPEND,
          Operation.TRUNCATE,
          Operation.LIST,
          Operation.LOCK);
  private static final Set<Operation> GROWING =
      EnumSet.of(
          Operation.CREATE,
          Operation.WRITE,
          Operation.SYNC,
          Operation.SYNC_DIRECTORY,
          Operation.RENAME,
          Operation.LINK,
          Operation.MAKE_DIRECTORY);

  /** The error that a failing call returns, and whether later calls fail too. */
  enum Way {
    /** One call fails; a write may have been done in part, and a sync completely or not at all. */
    ERROR,
    /** One call has its effect, and fails nevertheless. */
    ERROR_AFTERWARDS,
    /** This call and all after it fail. */
    ERRORS_FROM_NOW_ON,
    /** The process has too many open files, for one call. */
    TOO_MANY_FILES,
    /** The disk is full, for one call. */
    NO_SPACE,
    /** The disk is full from now on. */
    NO_SPACE_FROM_NOW_ON,
    /** One read returns half of the data. */
    SHORT
  }

  /** Returns all possible failures. */
  static List<Failure> all() {
    List<Failure> all = new ArrayList<>();
    for (Operation operation : Operation.values()) {
      for (Way way : Way.values()) {
        boolean canBe =
            switch (way) {
              case ERROR, ERROR_AFTERWARDS, ERRORS_FROM_NOW_ON -> true;
              case TOO_MANY_FILES -> OPENING.contains(operation);
              case NO_SPACE, NO_SPACE_FROM_NOW_ON -> GROWING.contains(operation);
              case SHORT -> operation == Operation.READ;
            };
        if (canBe) {
          all.add(new Failure(operation, way));
        }
      }
    }
    return all;
  }

  /** Returns the fault of the n-th call, counted from 1. */
  Fault at(long call) {
    Fault.Rule one = Fault.on(operation).call(call);
    return switch (way) {
      case ERROR -> one.fails("Input/output error");
      case ERROR_AFTERWARDS -> one.failsAfterwards("Input/output error");
      case ERRORS_FROM_NOW_ON -> Fault.on(operation).fromCall(call).fails("Input/output error");
      case TOO_MANY_FILES -> one.fails("Too many open files");
      case NO_SPACE -> one.fails(Fault.NO_SPACE);
      case NO_SPACE_FROM_NOW_ON -> Fault.on(operation).fromCall(call).fails(Fault.NO_SPACE);
      case SHORT -> one.readsShort();
    };
  }
}
