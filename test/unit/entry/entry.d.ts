/** The app's sources are ArkTS: the ArkTS gate checks their types, the host's compiler knows no .ets. */
declare module '@entry/*';
