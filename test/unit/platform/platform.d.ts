/** The adapters are ArkTS: their types are checked by the ArkTS gate, the host's compiler knows no .ets. */
declare module '@platform/*';
