package io.tidemark.checker;

/** One place where an anomaly was found. Facts called op, ops, writer and reader name operations by their index. */
public record AnomalyCase(AnomalyKind kind, Standing standing, Facts facts) {}
