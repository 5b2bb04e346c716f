import { JsonText } from '../../json/JsonText';
import { JsonWriter } from '../../json/JsonWriter';
import { StateSlice } from '../StateSlice';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';

/** `{<feature>:{version,json}}`. */
export class SlicesCodec {
  static encode(slices: ReadonlyMap<string, StateSlice>, writer: JsonWriter): string {
    const members: string[] = [];
    slices.forEach((slice: StateSlice, name: string): void => {
      const text: string = new ObjectText(writer).number('version', slice.version).object('json', slice.json).end();
      members.push(`${JsonText.quote(name)}:${text}`);
    });
    return `{${members.join(',')}}`;
  }

  static decode(reader: DocumentReader): Map<string, StateSlice> {
    const slices: Map<string, StateSlice> = new Map<string, StateSlice>();
    for (const name of reader.object.keys()) {
      const slice: DocumentReader = reader.reader(name);
      slices.set(name, new StateSlice(slice.count('version'), slice.sealed('json')));
    }
    return slices;
  }
}
