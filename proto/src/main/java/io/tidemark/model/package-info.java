/**
 * The value records that every module shares, all immutable; the safety rules by name, for deciders to ask for; and the search
 * for a mistyped name.
 */
package io.tidemark.model;
