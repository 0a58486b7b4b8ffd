package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.AttributeWork.Operation;
import dev.veilgate.benchmarks.Sample.Budget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Figures of the smartphone study beside its times: resident memory, use of the processor, and native code against
 * plain Java.
 */
record AttributeStudy(
        ResidentMemory.Figures memory, List<ProcessorUse> processor, List<NativeAgainstPlain.Point> plain) {
    /**
     * Points and their time.
     *
     * @param processor time of each operation whose use of the processor is measured
     * @param plain     numbers of attributes for native code against plain Java
     */
    record Plan(ResidentMemory.Plan memory, Duration processor, List<Integer> plain, Budget budget) {
        /** Some two minutes more. */
        static final Plan FULL = new Plan(
                new ResidentMemory.Plan(Operation.OF_PAPERS, List.of(10, 100, 1_000), 36, Duration.ofMillis(2_500)),
                Duration.ofMillis(1_000), // ticks of the clock are 10 ms
                List.of(1, 5, 10, 20, 25, 30),
                new Budget(Duration.ofMillis(100), Duration.ofMillis(500), 5, 2_000));

        /** Some seconds: one process a scheme. */
        static final Plan QUICK = new Plan(
                new ResidentMemory.Plan(List.of(Operation.DECRYPT), List.of(10), 3, Duration.ofMillis(100)),
                Duration.ofMillis(10),
                List.of(1, NativeAgainstPlain.PRINTED_ATTRIBUTES),
                new Budget(Duration.ZERO, Duration.ofMillis(2), 1, 5));
    }

    /** @param folder that exists, for processes that are started */
    static AttributeStudy measure(Plan plan, List<AttributeWork<?, ?, ?, ?>> schemes, Path folder) throws Exception {
        return new AttributeStudy(
                ResidentMemory.measure(plan.memory, folder),
                ProcessorUse.measure(schemes, AttributeReport.COMPARED, plan.processor),
                NativeAgainstPlain.measure(schemes, plan.plain, plan.budget));
    }

    void save(Path folder) throws IOException {
        Files.write(folder.resolve("attribute-memory.csv"), ResidentMemory.csv(memory));
        Files.write(folder.resolve("attribute-processor.csv"), ProcessorUse.csv(processor));
        Files.write(folder.resolve("attribute-native.csv"), NativeAgainstPlain.csv(plain));
    }
}
