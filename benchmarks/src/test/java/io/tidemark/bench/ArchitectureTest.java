package io.tidemark.bench;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.tidemark.architecture.ArchitectureContract;

/** On top of everything: it may see every module, and speaks to brokers through their clients. */
final class ArchitectureTest extends ArchitectureContract {
    @Override
    protected String[] visiblePackages() {
        return new String[] {"io.tidemark.."};
    }

    @Override
    protected DescribedPredicate<JavaClass> mappers() {
        return nobody();
    }
}
