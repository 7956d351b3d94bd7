/* So that an object library without other files yet is one. */
typedef int mote_empty_file;
