import { ClaimOwner } from '../../port/FileSystem';

/** An owner whose peers are alive unless they are named as dead. */
export class TestOwner implements ClaimOwner {
  readonly ownerId: string;
  private readonly dead: ReadonlyArray<string>;

  constructor(ownerId: string, dead: ReadonlyArray<string>) {
    this.ownerId = ownerId;
    this.dead = dead.slice();
  }

  isAlive(ownerId: string): boolean {
    return !this.dead.includes(ownerId);
  }
}
