export const container = { get: () => 1, isBound: () => false };
