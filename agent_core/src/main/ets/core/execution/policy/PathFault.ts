/** Why a path is refused. The values are stable: they are the `rule` in the details of a refusal. */
export enum PathFault {
  malformed = 'path_malformed',
  tooLong = 'path_too_long',
  parentSegment = 'path_parent_segment',
  control = 'path_control_character',
  invisible = 'path_invisible_character',
  windowsForm = 'path_windows_form',
  expansion = 'path_expansion',
  encoded = 'path_encoded',
  lookAlike = 'path_look_alike',
  outside = 'path_outside',
  readOnly = 'path_read_only',
  root = 'path_root',
  protectedName = 'path_protected_name',
  danglingLink = 'path_dangling_link',
  special = 'path_special_file',
  unresolvable = 'path_unresolvable'
}

/** The sentence for a fault: says what is wrong and what works, never where something lies. */
export function pathSentence(fault: PathFault): string {
  switch (fault) {
    case PathFault.malformed: return 'is empty or no well-formed text';
    case PathFault.tooLong: return 'is too long';
    case PathFault.parentSegment: return 'has a parent segment; name the place from the workspace folder';
    case PathFault.control: return 'has a control character';
    case PathFault.invisible: return 'has a character that hides what the name is';
    case PathFault.windowsForm: return 'has a form that Windows reads in another way; use plain names joined with /';
    case PathFault.expansion: return 'starts like a home folder or variable; nothing is expanded here';
    case PathFault.encoded: return 'has an encoded character; write names as they are';
    case PathFault.lookAlike: return 'has a character that looks like a dot or slash';
    case PathFault.outside: return 'leads outside the workspace';
    case PathFault.readOnly: return 'may only be read';
    case PathFault.root: return 'is the workspace folder itself, which cannot be changed';
    case PathFault.protectedName: return 'has a protected name';
    case PathFault.danglingLink: return 'is a link to nothing';
    case PathFault.special: return 'is neither a file nor a folder';
    default: return 'cannot be resolved';
  }
}
