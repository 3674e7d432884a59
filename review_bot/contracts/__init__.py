"""What functions of libraries need, give and do, as ``contracts/<library>.yaml`` states it (docs/contracts.md)."""
